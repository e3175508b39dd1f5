import { expect } from 'chai'
import { customResourceName } from '../../common/domain/resource-names.ts'
import { largestCommandBytes, storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import type { CommandSource } from '../../common/command-line/model/command-source.ts'
import { requestDigest } from '../../common/kubernetes/request-digest.ts'
import { createDispatchWorld, kind, namespace } from './dispatcher.fixture.ts'

/** The largest body that the REST API reads, with the characters that grow most in etcd: 3 MB. */
const hostile = sourceOf(62, 8_100)
/** 24 KB in etcd. */
const medium = sourceOf(1, 4_000)

describe('dispatch of large requests', () => {
  it('creates a small custom resource that refers to the request of 504 KB', async () => {
    const world = createDispatchWorld()
    const [id = ''] = await world.submit(1, 'default', hostile)
    world.run()
    await world.clock.advance(1_000)
    const object = world.server.cluster.get(kind, namespace, customResourceName(id))
    expect(object?.spec).to.deep.include({ request: requestDigest(hostile) })
    expect(object?.spec).to.not.have.any.keys('commands', 'inputFiles', 'outputFiles')
    expect(storedBytes(object)).to.be.below(largestCommandBytes / 8)
    expect(await world.row(id)).to.include({ status: 'QUEUED', resourceUid: object?.metadata.uid })
    world.stop()
  })

  it('creates whole custom resources up to 128 KB and keeps larger ones waiting while an older program runs', async () => {
    const world = createDispatchWorld()
    world.setOlderPrograms(true)
    const [whole = ''] = await world.submit(1, 'default', medium)
    const [waits = ''] = await world.submit(1, 'default', hostile)
    world.run()
    // Longer than the minute after which a row that fails for its own fault ends.
    await world.clock.advance(600_000)
    expect(world.names()).to.deep.equal([customResourceName(whole)])
    expect(world.server.cluster.list(kind)[0]?.spec).to.deep.include({
      inputFiles: medium.inputFiles,
    })
    expect(await world.row(waits)).to.include({ status: 'QUEUED', resourceUid: null })
    world.setOlderPrograms(false)
    await world.clock.advance(90_000)
    expect(world.names()).to.have.members([customResourceName(whole), customResourceName(waits)])
    expect(await world.metric('dispatch_refused_total')).to.equal(0)
    world.stop()
  })

  it('recognises the object of a crashed dispatcher that chose the other form', async () => {
    const world = createDispatchWorld()
    world.setOlderPrograms(true)
    const [id = ''] = await world.submit(1, 'default', medium)
    let crashed = false
    world.runAnother(async (name, effect) => {
      const result = await effect()
      if (name === 'dispatch.cr_created' && !crashed) {
        crashed = true
        world.setOlderPrograms(false)
        throw new Error('crashed after the create')
      }
      return result
    })
    await world.clock.advance(100)
    expect(crashed).to.equal(true)
    world.run()
    await world.clock.advance(60_000)
    const [object] = world.server.cluster.list(kind)
    expect(object?.spec).to.deep.include({ inputFiles: medium.inputFiles })
    expect(await world.row(id)).to.include({ status: 'QUEUED', resourceUid: object?.metadata.uid })
    world.stop()
  })
})

function sourceOf(inputs: number, characters: number): CommandSource {
  const url = `https://media.example/a.avi?${'&'.repeat(characters)}`
  return {
    commands: ['-i {{in_1}} {{out_1}}'],
    inputFiles: Object.fromEntries(
      Array.from({ length: inputs }, (_, index) => [`in_${index + 1}`, url]),
    ),
    inputCompressedFolder: null,
    outputFiles: { out_1: 'a.mp4' },
  }
}
