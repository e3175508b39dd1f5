import type { ErrorStatus } from '../../../common/domain/failures.ts'
import { isFinal } from '../../../common/domain/states.ts'
import type { Result } from '../../../common/gateway/messages.ts'
import type { CommandStatus } from '../../../common/domain/states.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Runner } from '../identity/runner-identity.ts'

/** Answer to a runner, apart from sockets. */
export interface GatewayResponse {
  readonly status: number
  /** JSON; undefined = no body. */
  readonly body?: unknown
  readonly retryAfterSeconds?: number
  /** The next request needs another connection, which may reach another replica. */
  readonly closes?: boolean
}

export function ok(body: object): GatewayResponse {
  return { status: 200, body }
}

/** Another attempt holds the command; this one must exit without a report. */
export const superseded: GatewayResponse = { status: 409, body: { kind: 'superseded' } }

/** A warm runner has no command yet. */
export const unbound: GatewayResponse = { status: 409, body: { kind: 'unbound' } }

export const unknownCommand: GatewayResponse = { status: 404, body: { detail: 'Unknown command' } }

export function final(outcome: {
  readonly status: CommandStatus
  readonly errorStatus: ErrorStatus | null
}): GatewayResponse {
  const { status, errorStatus } = outcome
  return { status: 410, body: { status, errorStatus } }
}

/** Retry: a dependency of this answer is unavailable, or not decided yet. */
export function unavailable(detail: string): GatewayResponse {
  return { status: 503, body: { detail }, retryAfterSeconds: 1 }
}

export function refused(
  status: 400 | 401 | 403 | 404 | 413 | 422,
  detail: string,
): GatewayResponse {
  return { status, body: { detail } }
}

export function otherSteps(expected: number, found: number): GatewayResponse {
  return refused(422, `The command has ${expected} steps; the message has ${found}`)
}

/** Log chunks of a step that the message does not have; null if there are none. */
export function unknownStep({
  steps,
  logs,
}: Pick<Result, 'steps' | 'logs'>): GatewayResponse | null {
  const chunk = logs.find(({ step }) => step >= steps.length)
  return chunk === undefined
    ? null
    : refused(422, `Log of step ${chunk.step}; the message has ${steps.length} steps`)
}

/**
 * The command, if this attempt holds it. A lost attempt that comes back must not get a URL: its
 * prefix is swept already, and a second sweep never runs.
 */
export async function heldCommand(
  store: Pick<Store, 'findForReconcile'>,
  runner: Runner,
): Promise<{ row: ReconcileRow } | { answer: GatewayResponse }> {
  const row = await store.findForReconcile(runner.commandId)
  if (row === null) return { answer: unknownCommand }
  if (isFinal(row.status)) return { answer: final(row) }
  return row.attempt === runner.podUid ? { row } : { answer: superseded }
}
