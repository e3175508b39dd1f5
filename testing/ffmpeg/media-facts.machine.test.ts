import { expect } from 'chai'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { mediaKinds } from './media-kinds.ts'
import { useSupervised } from './runner/use-runner.ts'
import type { MediaKind } from './media-kinds.ts'

describe('facts of a file', () => {
  const supervised = useSupervised()

  for (const kind of mediaKinds()) {
    it(`returns the facts of ${kind.name}`, () => expectFacts(kind))
  }

  it('the facts of a playlist include the bit rate of the sound, not of the manifest', async () => {
    const { client } = supervised
    client.send({ type: 'probe', id: 'rate', path: 'sound.m3u8', depth: 'record' })
    expect((await client.next('probed', 'rate')).facts.bitrate_audio_kb).to.be.within(50, 100)
  })

  for (const extension of ['mp4', 'mkv', 'ts']) {
    it(`the facts of a file are complete when only the ends of a large .${extension} are read`, async () => {
      const { container, client } = supervised
      const whole = `whole.${extension}`
      const made = ['-f', 'lavfi', '-i', 'testsrc2=d=8:s=320x240', '-f', 'lavfi', '-i', 'sine=d=8']
      const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
      await supervised.run([...made, ...codecs, whole])
      const bytes = await readFile(path.join(container.job, 'work', whole))
      bytes.fill(0, Math.round(bytes.length / 4), Math.round(bytes.length * 0.75))
      const sparse = `sparse.${extension}`
      await writeFile(path.join(container.job, 'work', sparse), bytes)
      client.send({ type: 'probe', id: sparse, path: sparse, depth: 'ends' })
      const { facts } = await client.next('probed', sparse)
      expect(facts).to.include({ file_type: 'video', width: 320, codec: 'h264', frame_rate: 25 })
      expect(facts.duration).to.be.closeTo(8, 0.2)
      // Matroska states no rate of a stream; a sum of packets would miss those in the hole.
      if (extension === 'mkv') expect(facts.bitrate_audio_kb).to.equal(null)
      else expect(facts.bitrate_audio_kb).to.be.closeTo(69, 4)
    })
  }

  it('the facts differ between a missing file and an empty container', async () => {
    const { client } = supervised
    client.send({ type: 'probe', id: 'absent', path: 'absent.mp4', depth: 'record' })
    expect((await client.next('probed', 'absent')).streams).to.equal(null)
  })

  it('the facts of a file hold no more than a duration needs when only that is requested', async () => {
    const { client } = supervised
    client.send({ type: 'probe', id: 'short', path: 'plain.mp4', depth: 'duration' })
    const { facts } = await client.next('probed', 'short')
    expect(facts).to.include({ duration: 2, is_varying_frame_rate: null })
  })

  /** Makes the file in the working folder, where later ones are made of it. */
  async function expectFacts({ file, made, streams, facts }: MediaKind): Promise<void> {
    const { container, client } = supervised
    if (Buffer.isBuffer(made)) await writeFile(path.join(container.job, 'work', file), made)
    else expect(await supervised.run([...made, file], {}, [file])).to.include({ code: 0 })
    client.send({ type: 'probe', id: file, path: file, depth: 'record' })
    const probed = await client.next('probed', file)
    expect(probed.streams).to.equal(streams)
    expect({ ...probed.facts, ...facts }).to.deep.equal(probed.facts)
  }
})
