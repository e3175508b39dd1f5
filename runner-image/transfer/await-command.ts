import type { Assignment, Elsewhere } from '../../common/gateway/messages.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import { sleep } from '../../common/runtime/effects.ts'
import { fieldsOf } from '../link/fields.ts'
import type { Log } from './report/log.ts'
import { backoffMs } from './runtime/backoff.ts'
import { accepted } from './gateway/gateway.ts'
import { parseAssignment } from './gateway/parse-assignment.ts'
import { rawField } from './gateway/raw-field.ts'
import type { Answer, Ask } from './gateway/request.ts'

/** The gateway holds a request for 25 s. */
const answerMs = 40_000
/** An answer without a command that comes sooner may come again at once. */
const shortMs = 1_000

/**
 * Requests a command until there is one, for a pod that was started before it: at the replica that leads.
 * Ends with the first command; no further one is ever requested.
 *
 * Retries, too, while the gateway is unavailable, or of an earlier release, which refuses such pods: no
 * command waits for this pod, and the deadline of its Job ends it if the operator is gone.
 * @param options.startedMs start of this process, by the clock of `effects`
 * @throws AttemptEnded if the command was taken from this pod, or has ended; the signal's reason
 */
export async function awaitCommand(
  ask: Ask,
  effects: Effects,
  log: Log,
  { startedMs, signal }: { readonly startedMs: number; readonly signal: AbortSignal },
): Promise<Assignment> {
  let replica: string | null = null
  let isFailing = false
  for (let fruitless = 0; ;) {
    const askedMs = effects.clock.monotonicMs()
    const waited = Math.floor((askedMs - startedMs) / 1_000)
    const path = `/v1/assignment?waited=${String(waited)}`
    const answer = await effects
      .failpoint('transfer.warm_runner_waiting', () =>
        ask({ method: 'GET', path, patienceMs: 0, answerMs, replica, signal }),
      )
      .catch((error: unknown) => {
        signal.throwIfAborted()
        // Once for an outage, which may be long.
        if (!isFailing) log('info', 'the gateway could not be reached', { error })
        return null
      })
    isFailing = answer === null
    const found = answer === null ? null : commandIn(answer)
    if (found !== null && 'commandId' in found) return found
    const isShort = effects.clock.monotonicMs() - askedMs < shortMs
    const isFollowed = replica === null && found?.kind === 'elsewhere'
    // The leader answers that there is no command yet; another replica is asked through the Service.
    if (found?.kind !== 'none') replica = found?.address ?? null
    fruitless = isShort && !isFollowed ? fruitless + 1 : 0
    if (fruitless > 0)
      await sleep(effects.clock, backoffMs(fruitless, effects.random(), null), signal)
  }
}

/** null: the replica does not hold requests of such pods. */
function commandIn(answer: Answer): Assignment | Elsewhere | { readonly kind: 'none' } | null {
  const { status, body } = answer
  if (status === 204) return { kind: 'none' }
  if (status === 400 || status === 403 || status === 404 || isUnbound(answer)) return null
  const found = accepted('/v1/assignment', answer)
  if (rawField(found, 'kind') !== 'elsewhere') return parseAssignment(found)
  return { kind: 'elsewhere', address: fieldsOf(body, 'elsewhere').text('address') }
}

function isUnbound({ status, body }: Answer): boolean {
  return status === 409 && rawField(body, 'kind') === 'unbound'
}
