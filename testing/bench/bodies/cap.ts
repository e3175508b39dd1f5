import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'

/** One line that all streams of a direction share: a cap per connection would be beaten by ranges. */
export interface Cap {
  /** A stream that lets bytes pass when the line has room for them. */
  stream(): Transform
  /** Reads a body at the rate of the line and drops it, with little of the processor. @returns its bytes */
  drain(body: Readable): Promise<number>
  /** @param megabytesPerSecond null = as fast as it goes */
  change(megabytesPerSecond: number | null): void
}

export function createCap(): Cap {
  let bytesPerMs: number | null = null
  let freeAt = 0

  /** @returns in how many milliseconds a chunk is through; 0 = at once */
  function wait({ length }: Buffer): number {
    if (bytesPerMs === null) return 0
    const now = performance.now()
    freeAt = Math.max(now - latestMs, freeAt) + length / bytesPerMs
    // Timers have whole milliseconds; what is shorter is made up for by the next chunk.
    return freeAt - now < 1 ? 0 : freeAt - now
  }

  return {
    change(megabytesPerSecond) {
      bytesPerMs = megabytesPerSecond === null ? null : megabytesPerSecond * 1_000
    },
    stream: () =>
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          const ms = wait(chunk)
          if (ms === 0) return done(null, chunk)
          setTimeout(() => done(null, chunk), ms)
        },
      }),
    drain: (body) =>
      new Promise((resolve, reject) => {
        let bytes = 0
        body.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          const ms = wait(chunk)
          if (ms === 0) return
          body.pause()
          setTimeout(() => body.resume(), ms)
        })
        body.on('end', () => resolve(bytes))
        body.on('error', reject)
      }),
  }
}

/** A timer that fires late must not cost the line its rate: so much of it is made up for. */
const latestMs = 25
