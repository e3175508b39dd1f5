import type { ProgressReport } from '../../../common/gateway/messages.ts'
import { final, ok, superseded } from '../answers.ts'
import type { GatewayResponse } from '../answers.ts'
import type { GatewayDeps } from '../gateway-deps.ts'
import type { Runner } from '../runner-identity.ts'

/** One statement; a lost or finished attempt learns here that it should stop. */
export async function acceptProgress(
  { store, effects }: GatewayDeps,
  { commandId, podUid }: Runner,
  report: ProgressReport,
): Promise<GatewayResponse> {
  const stored = await effects.failpoint('gateway.progress_stored', () =>
    store.storeProgress({ commandId, attempt: podUid, ...report }),
  )
  switch (stored.kind) {
    case 'stored':
      return ok({ cancel: stored.cancel })
    case 'final':
      return final(stored)
    case 'superseded':
      return superseded
  }
}
