import { objectIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { FakeCall, RequestFault } from '../kube-apiserver/faults.ts'
import type { RefusalFacts } from '../kube-apiserver/objects/refusal.ts'
import { commandToHit, crash, leaderOf, podToHit } from './fault-targets.ts'
import type { Fault, Surroundings } from './fault-targets.ts'
import { warmFaults } from './warm-faults.ts'
import type { Random } from '../../support/random.ts'
import { accounts, namespace } from '../world/settings.ts'
import type { World } from '../world/world.ts'

const firstFaultMs = 1_000
/** Then it is calm, and all has to come to rest. */
export const calmFromMs = 50_000

/**
 * Draws faults from the seed and lets them happen, each once.
 * @param certain names of faults that come besides
 * @returns the names of those that happened, filled while the run goes on
 */
export function startFaults(
  around: Surroundings,
  random: Random,
  { count, certain }: { count: number; certain: readonly string[] },
): string[] {
  const happened: string[] = []
  const { clock, trace } = around.world
  const possible = {
    ...faults,
    ...(around.world.warm === null ? {} : warmFaults),
  }
  const names = Object.keys(possible)
  for (let index = 0; index < certain.length + count; index += 1) {
    const own = random.fork(String(index))
    const name = certain[index] ?? own.pick(names)
    attempt(name, own, own.between(firstFaultMs, calmFromMs - 5_000), 0)
  }
  return happened

  /** An action that has found nothing to act upon tries again a little later. */
  function attempt(name: string, own: Random, atMs: number, tries: number): void {
    clock.schedule(Math.max(0, atMs - clock.monotonicMs()), () => {
      const act = possible[name]
      if (act === undefined) throw new Error(`there is no fault '${name}'`)
      if (act(around, own)) {
        trace.add('fault', name)
        happened.push(name)
      } else if (tries < 20 && clock.monotonicMs() < calmFromMs) {
        attempt(name, own, clock.monotonicMs() + 1_500, tries + 1)
      }
    })
  }
}

export const apiStalls = 'the API server stalls for 20 s'
export const lostEvents = 'events are dropped'
export const resourceVanishes = 'a resource vanishes'
export const rowsFail = 'creates for one account are answered with 500'
export const podGone = 'a pod is deleted at once'
export const rowsRefused = 'a policy refuses creates'
const writes = ['create', 'patch', 'delete'] as const
const kinds = ['FfmpegCommand', 'StoredFile', 'Job', 'Pod'] as const

function refusal(status: number, reason: string, more: Partial<RefusalFacts> = {}): RefusalFacts {
  return { status, reason, message: reason, ...more }
}

const faults: Readonly<Record<string, Fault>> = {
  'the API server answers a write with 500': ({ world }, random) => {
    const fault = { answer: refusal(500, 'InternalError') }
    world.server.faults.next({ verb: random.pick(writes) }, fault, random.integer(1, 4))
    return true
  },
  [rowsFail]: ({ world }, random) => {
    const account = random.pick(accounts).name
    const untilMs = world.clock.monotonicMs() + random.between(5_000, 15_000)
    const answer = { answer: refusal(500, 'InternalError') }
    addRule(world, (call) =>
      call.account === account && world.clock.monotonicMs() < untilMs ? answer : null,
    )
    return true
  },
  [rowsRefused]: ({ world }, random) => {
    let left = random.integer(1, 4)
    addRule(world, ({ commandId }) => {
      if (left === 0) return null
      left -= 1
      world.oracle.wished(commandId, 'refuse')
      return { answer: refusal(422, 'Invalid') }
    })
    return true
  },
  'the API server throttles': ({ world }, random) => {
    const facts = refusal(429, 'TooManyRequests', { retryAfterSeconds: random.integer(1, 3) })
    world.server.faults.next({ verb: random.pick(writes) }, { answer: facts }, random.integer(1, 5))
    return true
  },
  'a write is applied and answered with 504': ({ world }, random) => {
    const fault = { applyThen: refusal(504, 'Timeout') }
    world.server.faults.next({ verb: random.pick(writes) }, fault, random.integer(1, 3))
    return true
  },
  'replies to writes get lost': ({ world }, random) => {
    world.server.faults.next({ verb: random.pick(writes) }, 'lose-reply', random.integer(1, 3))
    return true
  },
  'requests get lost': ({ world }, random) => {
    world.server.faults.next({ verb: random.pick(writes) }, 'lose-request', random.integer(1, 3))
    return true
  },
  'a write is not answered': ({ world }, random) => {
    world.server.faults.next({ verb: random.pick(writes) }, 'hang')
    return true
  },
  'a write comes late': ({ world }, random) => {
    const fault = { delayMs: random.between(1_000, 8_000) }
    world.server.faults.next({ verb: random.pick(writes) }, fault, random.integer(1, 3))
    return true
  },
  'a patch meets a conflict': ({ world }, random) => {
    const fault = { answer: refusal(409, 'Conflict') }
    world.server.faults.next({ verb: 'patch' }, fault, random.integer(1, 4))
    return true
  },
  'a quota refuses Jobs': ({ world }, random) => {
    const fault = { answer: refusal(403, 'Forbidden', { message: 'exceeded quota: pods' }) }
    world.server.faults.next({ verb: 'create', kind: 'Job' }, fault, random.integer(1, 3))
    return true
  },
  'a read fails': ({ world }, random) => {
    const fault = { answer: refusal(500, 'InternalError') }
    world.server.faults.next({ verb: random.pick(['get', 'list']) }, fault, random.integer(1, 3))
    return true
  },
  'the API server is away': ({ world }, random) => {
    world.server.setDown(true)
    world.clock.schedule(random.between(500, 9_000), () => world.server.setDown(false))
    return true
  },
  [apiStalls]: ({ world }) => {
    const { clock, server } = world
    if (server.faults.onRequest !== null) return false
    // The kernel stops processes so: messages sent meanwhile are handled when it goes on.
    const endMs = clock.monotonicMs() + 20_000
    server.faults.onRequest = () => ({ delayMs: endMs - clock.monotonicMs() })
    clock.schedule(20_000, () => (server.faults.onRequest = null))
    return true
  },
  'events come late': ({ world }, random) => {
    const fault = { delayMs: random.between(2_000, 8_000) }
    world.server.faults.nextEvent({ kind: random.pick(kinds) }, fault, random.integer(1, 2))
    return true
  },
  [lostEvents]: ({ world }, random) => {
    world.server.faults.nextEvent({ kind: random.pick(kinds) }, 'drop', random.integer(1, 4))
    return true
  },
  'events come twice': ({ world }, random) => {
    world.server.faults.nextEvent({ kind: random.pick(kinds) }, 'duplicate', random.integer(1, 6))
    return true
  },
  'events come in another order': ({ world }, random) => {
    const match = { kind: random.pick(kinds) }
    world.server.faults.nextEvent(match, 'swap-with-next', random.integer(1, 4))
    return true
  },
  'a watch goes silent': ({ world }, random) => {
    world.server.silenceWatches(random.pick(kinds))
    return true
  },
  'watches break': ({ world }) => {
    world.server.breakWatches()
    return true
  },
  'history is compacted': ({ world }, random) => {
    world.server.compact()
    if (random.chance(0.5)) world.server.closeWatches()
    else world.server.breakWatches()
    return true
  },
  'history is compacted during an outage': ({ world }, random) => {
    world.server.setDown(true)
    world.clock.schedule(random.between(1_000, 4_000), () => {
      world.server.compact()
      world.server.setDown(false)
    })
    return true
  },
  'the database is away': ({ database }, random) => {
    database.awayFor(random.between(300, 10_000))
    return true
  },
  'replies of the database get lost': ({ database }, random) => {
    database.loseReplies(random.integer(1, 4))
    return true
  },
  'the bucket is away': ({ world }, random) => {
    world.storage.setAway(true)
    world.clock.schedule(random.between(500, 8_000), () => world.storage.setAway(false))
    return true
  },
  'replies of the gateway get lost': ({ gateway }, random) => {
    gateway.loseReplies(random.integer(1, 5))
    return true
  },
  'an operator crashes': ({ operators }, random) => crash(random.pick(operators)),
  'the leader crashes': ({ operators }) => crash(leaderOf(operators)),
  'an API server crashes': ({ apis }, random) => crash(random.pick(apis)),
  'the leader gets SIGTERM': ({ operators }) => {
    const leader = leaderOf(operators)?.running()
    leader?.program.terminate()
    return leader !== undefined && leader !== null
  },
  'the leader stands still for 30 s': ({ operators, world }) => {
    const leader = leaderOf(operators)?.running()
    if (leader === undefined || leader === null) return false
    leader.process.pause()
    world.oracle.leaderStopped()
    world.clock.schedule(30_000, () => leader.process.resume())
    return true
  },
  'a pod is deleted': ({ kubelets, world }, random) => {
    const name = podToHit(kubelets, random)
    if (name !== null) world.server.cluster.delete('Pod', namespace, name)
    return name !== null
  },
  [podGone]: ({ kubelets, world }, random) => {
    const name = podToHit(kubelets, random)
    if (name === null) return false
    world.server.cluster.delete('Pod', namespace, name, { gracePeriodSeconds: 0 })
    return true
  },
  'a pod is evicted': ({ kubelets }, random) => {
    const name = podToHit(kubelets, random)
    if (name !== null) kubelets.evict(name)
    return name !== null
  },
  'a node is lost': ({ kubelets, world }, random) => {
    if (kubelets.running().length === 0 || !kubelets.loseNode(random.chance(0.5))) return false
    world.clock.schedule(random.between(5_000, 100_000), () => kubelets.returnNode())
    return true
  },
  'a Job starts a second pod': ({ jobs, kubelets }, random) => {
    const name = podToHit(kubelets, random)
    if (name !== null) jobs.startTwin(name.replace(/-[a-z0-9]+$/, ''))
    return name !== null
  },
  'a Job is deleted': ({ world }, random) => {
    const jobs = world.server.cluster.list('Job')
    if (jobs.length === 0) return false
    world.server.cluster.delete('Job', namespace, random.pick(jobs).metadata.name)
    return true
  },
  'a resource is deleted': ({ world }, random) => {
    const found = commandToHit(world, random)
    if (found === null) return false
    world.oracle.wished(found.commandId, 'cancel')
    world.server.cluster.delete(found.kind, namespace, found.name)
    return true
  },
  [resourceVanishes]: ({ world }, random) => {
    const found = commandToHit(world, random)
    if (found === null) return false
    world.oracle.wished(found.commandId, 'vanish')
    const { cluster } = world.server
    cluster.update(found.kind, namespace, found.name, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }))
    cluster.delete(found.kind, namespace, found.name)
    return true
  },
}

interface Dispatched {
  readonly account: unknown
  readonly commandId: string
}

/** A rule for creates by dispatch, ahead of those that are there; it ends by itself. */
function addRule({ server }: World, rule: (dispatched: Dispatched) => RequestFault | null): void {
  const earlier = server.faults.onRequest
  server.faults.onRequest = (call) => {
    const dispatched = dispatchedIn(call)
    return (dispatched === null ? null : rule(dispatched)) ?? earlier?.(call) ?? null
  }
}

function dispatchedIn({ verb, query, body }: FakeCall): Dispatched | null {
  if (verb !== 'create' || query['dryRun'] !== undefined || !isJsonObject(body)) return null
  const { account, commandId, fileId } = objectIn(body, 'spec')
  const id = commandId ?? fileId
  return typeof id === 'string' ? { account, commandId: id } : null
}
