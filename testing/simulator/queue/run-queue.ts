import { Registry } from 'prom-client'
import { directly } from '../../../common/runtime/failpoint.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { createPassMetrics } from '../../../operator/admission/pass-metrics.ts'
import { createAdmission } from '../../../operator/loops/admit.ts'
import { commitOf, newCommand } from '../../store-contract/fixtures.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'
import { createMemoryStore } from '../memory-store/memory-store.ts'
import type { Plans } from '../../../common/domain/plans.ts'
import type { AdmissionSettings } from '../../../operator/loops/admit.ts'

export interface Arrival {
  readonly accountId: string
  readonly atMs: number
  readonly vcpuCount: number
  /** Time in ms from admission until the vCPUs are free again. */
  readonly runMs: number
}

export interface QueueOptions {
  readonly plans: Plans
  /** Plan of an account. */
  readonly planOf: (accountId: string) => string
  readonly admission: AdmissionSettings
  /** Values of the chart: `apiServer.liveCommands` and `apiServer.lookAhead`. */
  readonly dispatch: { readonly liveLimit: number; readonly lookAhead: number }
  /** The run ends then; commands may still wait. */
  readonly untilMs: number
}

export interface Waited extends Arrival {
  /** Time in ms from submission to admission; null for a command that still waits at the end. */
  readonly waitedMs: number | null
}

/** Period of a loop that is woken by every change. */
const stepMs = 100
/** Commands that dispatch creates in a step at its rate of requests. */
const perStep = 40

/**
 * The product's dispatch in turns and its admission over the memory store, on a virtual clock; nodes are what
 * the capacity says, and a command ends when its time is over.
 * @param arrivals in any order
 */
export async function runQueue(
  arrivals: readonly Arrival[],
  { plans, planOf, admission: settings, dispatch, untilMs }: QueueOptions,
): Promise<Waited[]> {
  const clock = createVirtualClock({ promisesOnly: true })
  const store = createMemoryStore({ clock })
  const commands = new Map<string, { arrival: Arrival; admittedMs: number | null }>()
  const ends: { readonly commandId: string; readonly atMs: number }[] = []
  let isChanged = false
  const admission = createAdmission({
    store,
    plans,
    settings,
    caches: { podsOf: () => [], jobsOf: () => [] },
    refusalOf: () => null,
    secondsWithoutPod: () => 0,
    podRefusalOf: () => null,
    compared: () => Promise.resolve(),
    logger: silentLogger,
    term: { mustHold: () => undefined },
    effects: { clock, random: () => 0.5, newId: () => '', failpoint: directly },
    metrics: createPassMetrics(new Registry()),
    onAdmitted: (ids) => ids.forEach(admitted),
    wake: () => {
      isChanged = true
    },
  })

  const coming = arrivals.toSorted((one, other) => other.atMs - one.atMs)
  for (let lastRoundMs = -Infinity; clock.monotonicMs() < untilMs; await clock.advance(stepMs)) {
    const nowMs = clock.monotonicMs()
    await submitDue(nowMs)
    await endDue(nowMs)
    await dispatchSome()
    if (!isChanged && nowMs - lastRoundMs < 1_000) continue
    isChanged = false
    lastRoundMs = nowMs
    await admission.admitWaiting(new AbortController().signal)
  }
  return [...commands.values()].map(({ arrival, admittedMs }) => ({
    ...arrival,
    waitedMs: admittedMs === null ? null : admittedMs - arrival.atMs,
  }))

  async function submitDue(nowMs: number): Promise<void> {
    for (let next = coming.at(-1); next !== undefined && next.atMs <= nowMs; next = coming.at(-1)) {
      coming.pop()
      const { accountId, vcpuCount } = next
      await store.ensureAccount({ accountId, name: accountId, plan: planOf(accountId) })
      const command = { ...newCommand(accountId), vcpuCount }
      await store.insertCommands([command])
      commands.set(command.commandId, { arrival: next, admittedMs: null })
    }
  }

  async function endDue(nowMs: number): Promise<void> {
    while ((ends.at(-1)?.atMs ?? Infinity) <= nowMs) {
      const { commandId = '' } = ends.pop() ?? {}
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid: commandId })
      await store.commitOutcome(commitOf(commandId, commandId))
      await store.releaseQuota(commandId)
      isChanged = true
    }
  }

  async function dispatchSome(): Promise<void> {
    const claim = { limit: perStep, leaseSeconds: 2, retries: true, ...dispatch }
    for (const { commandId } of await store.claimUndispatched(claim)) {
      await store.markDispatched(commandId, `uid-${commandId}`)
      isChanged = true
    }
  }

  function admitted(commandId: string): void {
    const command = commands.get(commandId)
    if (command === undefined) throw new Error(`${commandId} was never submitted`)
    command.admittedMs = clock.monotonicMs()
    const end = { commandId, atMs: clock.monotonicMs() + command.arrival.runMs }
    const at = ends.findIndex(({ atMs }) => atMs <= end.atMs)
    ends.splice(at < 0 ? ends.length : at, 0, end)
  }
}
