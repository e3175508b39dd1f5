import { namespace } from '../world/settings.ts'
import { isUnbound } from '../world/warm-runner-pool.ts'
import type { Random } from '../../support/random.ts'
import { crash } from './fault-targets.ts'
import type { Fault, Surroundings } from './fault-targets.ts'

const warmRunnerEvicted = 'a warm runner is evicted'
const warmRunnerDeleted = 'the Job of a warm runner is deleted'
const pollsCut = 'the requests of warm runners are cut'
const resizesDeferred = 'nodes have no room for a larger size'
const resizesRefused = 'resizes are refused'
export const adoptionsHang = 'the adoption of warm runners is not answered'
export const imageChanges = 'warm runners get another image'

/** Faults of an installation in which runners wait for commands. */
export const warmFaults: Readonly<Record<string, Fault>> = {
  [warmRunnerEvicted]({ kubelets }, random) {
    const warmRunners = kubelets.running().filter((name) => name.startsWith('ffw-'))
    if (warmRunners.length === 0) return false
    kubelets.evict(random.pick(warmRunners))
    return true
  },
  [warmRunnerDeleted]({ world }, random) {
    const jobs = world.server.cluster.list('Job').filter(isUnbound)
    if (jobs.length === 0) return false
    world.server.cluster.delete('Job', namespace, random.pick(jobs).metadata.name)
    return true
  },
  [pollsCut]: ({ gateway }) => gateway.cutPolls(),
  [resizesDeferred]({ kubelets }, random) {
    kubelets.deferResizes(random.between(500, 15_000))
    return true
  },
  [resizesRefused]({ world }, random) {
    const message = 'the node has no room'
    const fault = { answer: { status: 403, reason: 'Forbidden', message } }
    world.server.faults.next({ subresource: 'resize' }, fault, random.integer(1, 4))
    return true
  },
  'a resize is not answered': ({ world }, random) => {
    world.server.faults.next({ subresource: 'resize' }, 'hang', random.integer(1, 2))
    return true
  },
  [adoptionsHang]({ world }, random) {
    const times = random.integer(1, 3)
    for (const kind of ['Job', 'Pod']) {
      world.server.faults.next({ verb: 'patch', kind, subresource: null }, 'hang', times)
    }
    return true
  },
  'the Job of a warm runner starts a second pod': ({ jobs, world }, random) => {
    const warmRunners = world.server.cluster.list('Job').filter(isUnbound)
    if (warmRunners.length === 0) return false
    jobs.startTwin(random.pick(warmRunners).metadata.name)
    return true
  },
  [imageChanges]: changeImage,
}

/** Upgrades: one operator after the other starts with the new settings. */
function changeImage({ operators, world }: Surroundings, random: Random): boolean {
  if (world.warm === null) return false
  world.warm.image += 1
  for (const host of operators) {
    world.clock.schedule(random.between(0, 3_000), () => void crash(host))
  }
  return true
}
