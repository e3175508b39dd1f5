import { listIn, objectIn } from '../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import { namespace } from './world-parts.fixture.ts'
import type { World } from './controller.fixture.ts'
import type { FakePod } from './world-parts.fixture.ts'

export interface WarmRunnerRun extends FakePod {
  readonly jobName: string
}

/**
 * Pods for the Jobs of the pool, as they come: each requests a command, and does so again when its connection
 * breaks, until the database says that it has one.
 * @param options.pullMs from the start of the pod to that of its containers
 * @param options.againMs until the next request; the reply to the one before is lost
 */
export function runWarmRunners(
  world: World,
  { pullMs = 0, againMs = 100 }: { readonly pullMs?: number; readonly againMs?: number } = {},
): {
  /** Resolves with the pod that holds the command. */
  bound(commandId: string): Promise<WarmRunnerRun>
  holder(commandId: string): WarmRunnerRun | null
} {
  const holders = new Map<string, WarmRunnerRun>()
  world.server.cluster.onChange(({ type, object }) => {
    const isWarmRunner = object.kind === 'Job' && object.metadata.name.startsWith('ffw-')
    if (isWarmRunner && type === 'ADDED')
      world.clock.schedule(500, () => void start(object.metadata.name))
  })
  return {
    holder: (commandId) => holders.get(commandId) ?? null,
    async bound(commandId) {
      await world.clock.runUntil(() => holders.has(commandId), 120_000)
      const pod = holders.get(commandId)
      if (pod === undefined) throw new Error(`${commandId} was given to no warm runner`)
      return pod
    },
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => void world.clock.schedule(ms, resolve))
  }

  async function start(jobName: string): Promise<void> {
    const job = world.server.cluster.get('Job', namespace, jobName)
    if (job === null || job.metadata.deletionTimestamp !== undefined) return
    const template = objectIn(job.spec ?? {}, 'template')
    const name = `${jobName}-aaaaa`
    const { metadata } = world.server.cluster.create('Pod', namespace, {
      metadata: {
        ...objectIn(template, 'metadata'),
        name,
        ownerReferences: [
          {
            apiVersion: 'batch/v1',
            kind: 'Job',
            name: jobName,
            uid: job.metadata.uid,
            controller: true,
          },
        ],
      },
      spec: { ...objectIn(template, 'spec'), nodeName: 'node-1' },
    })
    const containers = listIn(objectIn(template, 'spec'), 'containers').filter(isJsonObject)
    const startTime = world.clock.wall().toISOString()
    if (pullMs > 0) await pause(pullMs)
    const startedAt = world.clock.wall().toISOString()
    world.server.cluster.updateStatus('Pod', namespace, name, () => ({
      phase: 'Running',
      startTime,
      containerStatuses: containers.map((container) => ({
        name: container['name'],
        resources: {},
        state: { running: { startedAt } },
      })),
    }))
    const startedMs = world.clock.monotonicMs()
    const end = (status: object): void => {
      if (world.server.cluster.get('Pod', namespace, name) === null) return
      world.server.cluster.updateStatus('Pod', namespace, name, () => ({
        phase: 'Failed',
        ...status,
      }))
    }
    const pod = {
      jobName,
      name,
      uid: metadata.uid,
      end,
      complete: () => end({ phase: 'Succeeded' }),
    }
    await ask(pod, startedMs)
  }

  async function ask(pod: WarmRunnerRun, startedMs: number): Promise<void> {
    for (;;) {
      if (world.server.cluster.get('Pod', namespace, pod.name) === null) return
      const waited = Math.floor((world.clock.monotonicMs() - startedMs) / 1_000)
      const wait = world.waiters.wait({ podUid: pod.uid, podName: pod.name }, waited)
      const bound = await world.store.findBound(pod.uid).catch(() => null)
      if (bound !== null) {
        wait.leave()
        return void holders.set(bound.commandId, pod)
      }
      wait.offer()
      await wait.ended
      await pause(againMs)
    }
  }
}
