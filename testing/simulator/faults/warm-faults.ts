import { namespace } from '../world/settings.ts'
import { isUnbound } from '../world/standby-pool.ts'
import type { Random } from '../../support/random.ts'
import { crash } from './fault-targets.ts'
import type { Fault, Surroundings } from './fault-targets.ts'

const standbyEvicted = 'a standby is evicted'
const standbyDeleted = 'the Job of a standby is deleted'
const pollsCut = 'the requests of standbys are cut'
const resizesDeferred = 'nodes have no room for a larger size'
const resizesRefused = 'resizes are refused'
export const adoptionsHang = 'the adoption of standbys is not answered'
export const imageChanges = 'standbys get another image'

/** Faults of an installation in which runners wait for commands. */
export const warmFaults: Readonly<Record<string, Fault>> = {
  [standbyEvicted]({ kubelets }, random) {
    const standbys = kubelets.running().filter((name) => name.startsWith('ffw-'))
    if (standbys.length === 0) return false
    kubelets.evict(random.pick(standbys))
    return true
  },
  [standbyDeleted]({ world }, random) {
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
  'the Job of a standby starts a second pod': ({ jobs, world }, random) => {
    const standbys = world.server.cluster.list('Job').filter(isUnbound)
    if (standbys.length === 0) return false
    jobs.startTwin(random.pick(standbys).metadata.name)
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
