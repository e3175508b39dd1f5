import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { openGateway } from '../support/operator/gateway.ts'
import { bundleRunner } from '../../runner-image/bundle.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import { startContainer } from './runner/container.ts'
import type { Container } from './runner/container.ts'
import { useRunnerParts } from './runner/use-runner.ts'

/** The programs of both containers, and the gateway over a real database and a real S3 server. */
describe('a pod that waits for a command, with the programs of the image', () => {
  const parts = useRunnerParts()
  let gateway: Awaited<ReturnType<typeof openGateway>>
  let container: Container
  let transfer: ChildProcess | null
  /** Replies that are lost from now on. */
  let lostReplies: number

  before(() => bundleRunner(parts.app, { transfer: 'transfer/main.ts' }))
  beforeEach(async () => {
    lostReplies = 0
    transfer = null
    gateway = await openGateway({ effects: effectsThatLose(() => (lostReplies -= 1) >= 0) })
    container = await startContainer({ root: parts.root, app: parts.app })
  })
  afterEach(async () => {
    if (transfer?.exitCode === null) {
      const end = once(transfer, 'exit')
      transfer.kill('SIGKILL')
      await end
    }
    await container.remove()
    await gateway.close()
  })

  it('a warm runner runs the command that it is given, once, and ends', async () => {
    const { pod, exit } = await waiting()
    const { commandId } = await gateway.command({ source: testPicture })
    await pod.bind(commandId)
    expect(await exit).to.equal(0)
    expect(await gateway.store.findForReconcile(commandId)).to.deep.include({
      status: 'SUCCESS',
      attempt: pod.podUid,
      attempts: 1,
      warmRunnerJob: pod.warmRunnerJob,
    })
    expect((await container.ended).code).to.equal(0)
    expect((await pod.waits()).status).to.equal(410)
  })

  it('a warm runner runs its command once when the reply with the assignment was lost', async () => {
    const { pod, exit } = await waiting()
    const { commandId } = await gateway.command({ source: testPicture })
    lostReplies = 1
    await pod.bind(commandId)
    expect(await exit).to.equal(0)
    expect(await gateway.store.findForReconcile(commandId)).to.deep.include({
      status: 'SUCCESS',
      attempt: pod.podUid,
      attempts: 1,
    })
  })

  it('a warm runner ends with 31 when it is interrupted while it waits, and the other container with it', async () => {
    const { pod, exit } = await waiting()
    transfer?.kill('SIGTERM')
    expect(await exit).to.equal(31)
    await container.ended
    expect(await gateway.store.findBound(pod.podUid)).to.equal(null)
  })

  it('gives its command up when the attempt was lost before its first report', async () => {
    const { pod, exit } = await waiting()
    const { commandId } = await gateway.command({ source: testPicture })
    lostReplies = Infinity
    await pod.bind(commandId)
    await gateway.lose(commandId, pod.podUid)
    lostReplies = 0
    expect(await exit).to.equal(30)
    expect((await gateway.store.findForReconcile(commandId))?.status).not.to.equal('SUCCESS')
  })

  /** A pod whose containers have started, and that is offered. */
  async function waiting() {
    const pod = await gateway.warmRunner()
    const tokenFile = path.join(container.link, '..', 'token')
    await writeFile(tokenFile, pod.token)
    const isOffered = Promise.withResolvers<undefined>()
    const unsubscribe = gateway.waiters.onChange(() => isOffered.resolve(undefined))
    transfer = spawn(
      process.execPath,
      [
        path.join(parts.app, 'transfer.mjs'),
        '--warm-runner',
        '--gateway',
        gateway.url,
        '--token-file',
        tokenFile,
        '--work',
        path.join(container.job, 'work'),
        '--socket',
        path.join(container.link, 'ffmpeg.sock'),
        '--termination-message',
        path.join(container.link, '..', 'message'),
      ],
      { stdio: 'ignore', env: { PATH: process.env['PATH'] } },
    )
    const exit = once(transfer, 'exit').then(([code]: unknown[]) => code)
    await isOffered.promise
    unsubscribe()
    return { pod, exit }
  }
})

const testPicture = {
  commands: ['-f lavfi -t 1 -i testsrc=size=128x72 -c:v libx264 {{out_1}}'],
  inputFiles: {},
  inputCompressedFolder: null,
  outputFiles: { out_1: 'o.mp4' },
}

function effectsThatLose(isLost: () => boolean): Effects {
  const effects = systemEffects()
  return {
    ...effects,
    failpoint: async (name, effect) => {
      const done = await effects.failpoint(name, effect)
      if (name === 'gateway.warm_runner_answered' && isLost()) throw new Error('the reply is lost')
      return done
    },
  }
}
