import { isJsonObject, listIn, objectIn } from '../../common/kubernetes/read-json.ts'
import { namespace } from './controller.fixture.ts'
import type { FakePod, World } from './controller.fixture.ts'

export interface StandbyRun extends FakePod {
  readonly jobName: string
}

/**
 * Pods for the Jobs of the pool, as they come: each requests a command, and does so again when its connection
 * breaks, until the database says that it has one.
 */
export function runStandbys(world: World): {
  /** Resolves with the pod that holds the command. */
  bound(commandId: string): Promise<StandbyRun>
  holder(commandId: string): StandbyRun | null
} {
  const holders = new Map<string, StandbyRun>()
  world.server.cluster.onChange(({ type, object }) => {
    const isStandby = object.kind === 'Job' && object.metadata.name.startsWith('ffw-')
    if (isStandby && type === 'ADDED')
      world.clock.schedule(500, () => void start(object.metadata.name))
  })
  return {
    holder: (commandId) => holders.get(commandId) ?? null,
    async bound(commandId) {
      await world.clock.runUntil(() => holders.has(commandId), 120_000)
      const pod = holders.get(commandId)
      if (pod === undefined) throw new Error(`${commandId} was given to no standby`)
      return pod
    },
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
            ...{ apiVersion: 'batch/v1', kind: 'Job', name: jobName, uid: job.metadata.uid },
            controller: true,
          },
        ],
      },
      spec: { ...objectIn(template, 'spec'), nodeName: 'node-1' },
    })
    const containers = listIn(objectIn(template, 'spec'), 'containers').filter(isJsonObject)
    world.server.cluster.updateStatus('Pod', namespace, name, () => ({
      phase: 'Running',
      containerStatuses: containers.map((container) => ({
        ...{ name: container['name'], resources: {}, state: { running: {} } },
      })),
    }))
    const end = (status: object): void => {
      if (world.server.cluster.get('Pod', namespace, name) === null) return
      world.server.cluster.updateStatus('Pod', namespace, name, () => ({
        ...{ phase: 'Failed', ...status },
      }))
    }
    const pod = {
      jobName,
      name,
      uid: metadata.uid,
      end,
      complete: () => end({ phase: 'Succeeded' }),
    }
    await ask(pod)
  }

  async function ask(pod: StandbyRun): Promise<void> {
    for (;;) {
      if (world.server.cluster.get('Pod', namespace, pod.name) === null) return
      const wait = world.waiters.wait({ podUid: pod.uid, podName: pod.name }, 1)
      const bound = await world.store.findBound(pod.uid).catch(() => null)
      if (bound !== null) {
        wait.leave()
        return void holders.set(bound.commandId, pod)
      }
      wait.offer()
      await wait.ended
      await new Promise<void>((resolve) => void world.clock.schedule(100, resolve))
    }
  }
}
