import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { mediaCases } from './media-cases.ts'
import { runnerParts, startSupervised } from './test-runner.ts'
import type { RunnerParts, RunningSupervisor } from './test-runner.ts'

describe('what ffprobe finds', function () {
  this.timeout(60_000)
  let parts: RunnerParts
  let supervised: RunningSupervisor
  before(async function () {
    this.timeout(600_000)
    parts = await runnerParts()
    supervised = await startSupervised(parts)
    await supervised.client.next('ready')
  })
  after(async () => {
    await supervised[Symbol.asyncDispose]()
    await parts.remove()
  })

  for (const { name, file, made, streams, facts } of mediaCases) {
    it(name, async () => {
      const { container, client } = supervised
      if (Buffer.isBuffer(made)) await writeFile(path.join(container.job, 'work', file), made)
      else expect((await supervised.run([...made, file])).tail).to.not.match(/Error/)
      client.send({ type: 'probe', id: file, path: file, depth: 'record' })
      const probed = await client.next('probed', file)
      expect(probed.streams).to.equal(streams)
      expect({ ...probed.facts, ...facts }).to.deep.equal(probed.facts)
    })
  }

  it('tells a file that is not there from an empty container', async () => {
    const { client } = supervised
    client.send({ type: 'probe', id: 'absent', path: 'absent.mp4', depth: 'record' })
    expect((await client.next('probed', 'absent')).streams).to.equal(null)
  })

  it('reads only what a duration needs when only that is asked for', async () => {
    const { client } = supervised
    client.send({ type: 'probe', id: 'short', path: 'plain.mp4', depth: 'duration' })
    const { facts } = await client.next('probed', 'short')
    expect(facts).to.include({ duration: 2, is_varying_frame_rate: null })
  })
})
