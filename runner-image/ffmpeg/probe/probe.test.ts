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

  it('starts one process for a picture and for a sound that states its length', async () => {
    for (const file of ['photo.jpg', 'photo.heic', 'song.mp3', 'book.m4b']) {
      expect(await startedAtOnce(file), file).to.have.length(1)
    }
  })

  it('counts the packets of a bare sound beside its report', async () => {
    for (const file of ['sound.aac', 'sound.AC3', 'film.m2v']) {
      const started = await startedAtOnce(file)
      const counts = started.filter((argv) =>
        argv.includes('packet=stream_index,pts_time,dts_time'),
      )
      expect(counts, file).to.have.length(1)
    }
  })
})
