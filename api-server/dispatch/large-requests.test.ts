import { expect } from 'chai'
import { customResourceName } from '../../common/domain/resource-names.ts'
import { largestCommandBytes, storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import type { CommandSource } from '../../common/command-line/model/command-source.ts'
import { requestDigest } from '../../common/kubernetes/request-digest.ts'
import { createDispatchWorld, kind, namespace } from './dispatcher.fixture.ts'

/** The largest body that the REST API reads, with the characters that grow most in etcd: 3 MB. */
const hostile = sourceOf(62, 8_100)

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
