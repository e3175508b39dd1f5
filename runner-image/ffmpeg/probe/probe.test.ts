import { expect } from 'chai'
import { setImmediate } from 'node:timers/promises'
import { probe } from './probe.ts'

describe('probing a file for its record', () => {
  /** @returns the arguments of the ffprobe processes that have their file while none of them has answered */
  async function startedAtOnce(path: string): Promise<string[]> {
    const started: string[] = []
    const answered = Promise.withResolvers<boolean>()
    const probed = probe(
      {
        work: '/job/work',
        processFor: (_file, { argv }) => ({
          isWaiting: () => true,
          async at() {
            started.push(argv.join(' '))
            return answered.promise
          },
          drop: () => undefined,
        }),
      },
      { type: 'probe', id: 'p', path, depth: 'record' },
    )
    await setImmediate()
    const atOnce = [...started]
    answered.resolve(false)
    await probed
    return atOnce
  }

  it('reads the packets of a playlist beside its report', async () => {
    const started = await startedAtOnce('list.m3u8')
    expect(started.filter((argv) => argv.includes('packet=stream_index,pts_time'))).to.have.length(
      1,
    )
    expect(started.filter((argv) => argv.includes('-show_streams'))).to.have.length(1)
  })

  it('reads the packets of other files only after a report that lacks their rates', async () => {
    const started = await startedAtOnce('film.mp4')
    expect(started.filter((argv) => argv.includes('packet=stream_index,pts_time'))).to.have.length(
      0,
    )
    expect(started.filter((argv) => argv.includes('-show_streams'))).to.have.length(1)
  })
})
