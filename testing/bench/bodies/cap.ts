import { Transform } from 'node:stream'

/** One line that all streams of a direction share: a cap per connection would be beaten by ranges. */
export interface Cap {
  /** A stream that lets bytes pass when the line has room for them. */
  stream(): Transform
  /** @param megabytesPerSecond null = as fast as it goes */
  change(megabytesPerSecond: number | null): void
}

export function createCap(): Cap {
  let bytesPerMs: number | null = null
  let freeAt = 0
  return {
    change(megabytesPerSecond) {
      bytesPerMs = megabytesPerSecond === null ? null : megabytesPerSecond * 1_000
    },
    stream: () =>
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          if (bytesPerMs === null) return done(null, chunk)
          const now = performance.now()
          freeAt = Math.max(now - latestMs, freeAt) + chunk.length / bytesPerMs
          // Timers have whole milliseconds; what is shorter is made up for by the next chunk.
          if (freeAt - now < 1) return done(null, chunk)
          setTimeout(() => done(null, chunk), freeAt - now)
        },
      }),
  }
}

/** A timer that fires late must not cost the line its rate: so much of it is made up for. */
const latestMs = 25
