import { expect } from 'chai'
import { keepAnnotation } from '../../common/domain/resource-names.ts'
import { useWorld } from './use-world.fixture.ts'
import { namespace } from './world-parts.fixture.ts'

const daySeconds = 86_400

describe('an applied object with the annotation that keeps it', () => {
  const world = useWorld()
  const shown = (name: string) => world.server.cluster.get('FfmpegCommand', namespace, name)

  async function run(name: string, annotations: Record<string, string>): Promise<void> {
    const { uid } = world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name, annotations },
      spec: {
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: 'https://media.example/in.mp4' },
        outputFiles: { out_1: 'small.mp4' },
      },
    }).metadata
    const pod = await world.runPod(uid)
    await world.succeed(uid, pod.uid)
    pod.complete()
    await world.clock.advance(5_000)
  }

  it('a kept object stays after its end, while others go', async () => {
    await run('of-git', { [keepAnnotation]: 'true' })
    await run('of-user', {})
    await run('refused', { [keepAnnotation]: 'false' })
    await world.clock.advance(daySeconds * 1_000)
    expect(shown('of-git')?.status).to.include({ state: 'SUCCESS' })
    expect(shown('of-user')).to.equal(null)
    expect(shown('refused')).to.equal(null)
  })

  it('a kept object goes once the annotation is taken off', async () => {
    await run('of-git', { [keepAnnotation]: 'true' })
    await world.clock.advance(daySeconds * 1_000)
    world.server.cluster.update('FfmpegCommand', namespace, 'of-git', ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, annotations: {} },
    }))
    await world.clock.advance(daySeconds * 1_000)
    expect(shown('of-git')).to.equal(null)
  })

  it('a kept object is deleted by its owner as any other, and runs again only if it is applied again', async () => {
    await run('of-git', { [keepAnnotation]: 'true' })
    world.server.cluster.delete('FfmpegCommand', namespace, 'of-git')
    await world.clock.advance(60_000)
    expect(shown('of-git')).to.equal(null)
    const jobs = world.server.cluster.list('Job').length
    await world.clock.advance(daySeconds * 1_000)
    expect(world.server.cluster.list('Job').length).to.be.at.most(jobs)
  })
})
