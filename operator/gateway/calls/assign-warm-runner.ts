import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import type { WarmRunnerPod, WarmRunnerWait, WaitEnd } from '../../warm/warm-runner-waiters.ts'
import { heldCommand, ok } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import { assignmentFor } from './assign.ts'
import type { GatewayDeps } from './gateway-deps.ts'

/** How long the leader holds a request; the pod sends the next one after the answer. */
const heldSeconds = 25
/** While no leader is known: another connection may reach the leader. */
const unknownSeconds = 5

/**
 * Holds the request of a pod that waits for a command until the pod has one. A pod that has one gets it
 * at once, from each replica: the reply to the request that waited may have been lost.
 *
 * @param waitedSeconds since the start of its process, by its own clock
 * @param closed aborts when the connection closes
 */
export async function assignWarmRunner(
  deps: GatewayDeps,
  pod: WarmRunnerPod,
  { waitedSeconds, closed }: { waitedSeconds: number; closed: AbortSignal },
): Promise<GatewayResponse> {
  const { store, warmRunners } = deps
  // Before the read: a command that is bound between the read and the wait finds this request.
  const wait = warmRunners.waiters.wait(pod, waitedSeconds)
  try {
    const bound = await store.findBound(pod.podUid)
    if (bound !== null) {
      const held = await heldCommand(store, { ...bound, ...pod })
      return 'answer' in held ? held.answer : await assigned(deps, pod, held.row)
    }
    const end = await endOf(wait, deps, closed)
    switch (end.kind) {
      case 'bound': {
        const { clock } = deps.effects
        const boundMs = clock.monotonicMs()
        const answer = await assigned(deps, pod, end.row)
        deps.onAssigned?.((clock.monotonicMs() - boundMs) / 1_000)
        return answer
      }
      case 'elsewhere':
        return ok({ kind: 'elsewhere', address: end.address })
      case 'lost':
      case 'replaced':
        return { status: 204, closes: true }
      case 'late':
        return { status: 204 }
    }
  } finally {
    wait.leave()
  }
}

async function assigned(
  deps: GatewayDeps,
  { podUid, podName }: WarmRunnerPod,
  row: ReconcileRow,
): Promise<GatewayResponse> {
  const { commandId, accountName: account } = row
  const assignment = await deps.effects.failpoint('gateway.warm_runner_answered', () =>
    assignmentFor(deps, { podUid }, row),
  )
  deps.logger.info('assigned', {
    command_id: commandId,
    account,
    attempt: podUid,
    pod: podName,
    round: row.jobGeneration,
  })
  return ok(assignment)
}

type End =
  | WaitEnd
  | { readonly kind: 'elsewhere'; readonly address: string }
  /** The pod sends another request. */
  | { readonly kind: 'late' }
  /** No leader is known, or the connection has closed. */
  | { readonly kind: 'lost' }

/** The leader may change while the request waits, so its place is looked up each second. */
function endOf(
  wait: WarmRunnerWait,
  { effects, warmRunners }: GatewayDeps,
  closed: AbortSignal,
): Promise<End> {
  return new Promise((resolve) => {
    let cancel = (): void => undefined
    const end = (how: End): void => {
      cancel()
      closed.removeEventListener('abort', onClose)
      resolve(how)
    }
    const onClose = (): void => end({ kind: 'lost' })
    const check = (seconds: number, unknownFor: number): void => {
      const place = warmRunners.place()
      if (place.kind === 'elsewhere') return end(place)
      if (seconds >= heldSeconds) return end({ kind: 'late' })
      if (place.kind === 'unknown' && unknownFor >= unknownSeconds) return end({ kind: 'lost' })
      if (place.kind === 'here') wait.offer()
      const isUnknown = place.kind === 'unknown'
      cancel = effects.clock.schedule(1_000, () =>
        check(seconds + 1, isUnknown ? unknownFor + 1 : 0),
      )
    }
    void wait.ended.then(end)
    if (closed.aborted) return end({ kind: 'lost' })
    closed.addEventListener('abort', onClose)
    check(0, 0)
  })
}
