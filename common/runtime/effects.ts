/**
 * Everything that differs between production and a simulated run: time, randomness, identity.
 * Code receives these values; only the `main.ts` files build the real ones, so a simulator can
 * drive the whole control plane on a virtual clock and replay a run from its seed.
 */
export interface Clock {
  /** Milliseconds from an arbitrary origin; never jumps, never goes back. Use it for durations. */
  monotonicMs(): number
  /** Wall time of this host. Only for what people read: hosts disagree, so it decides nothing. */
  wall(): Date
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  schedule(delayMs: number, callback: () => void): () => void
}

export interface Effects {
  readonly clock: Clock
  /** Uniform in [0, 1). */
  random(): number
  /** A new lower-case UUIDv7. */
  newId(): string
  readonly failpoint: Failpoint
}

/** Runs an external effect under a name at which tests and the simulator inject faults. */
export type Failpoint = <T>(name: FailpointName, effect: () => Promise<T>) => Promise<T>

export type FailpointName = (typeof failpointNames)[number]

/** The order is that in which a command meets them. */
export const failpointNames = [
  'api.validated',
  'api.row_committed',
  'api.cancel_committed',
  'api.cancel_requested',
  'api.replied',
  'files.row_committed',
  'files.upload_created',
  'files.upload_recorded',
  'files.unrecorded_aborted',
  'files.superseded_aborted',
  'files.urls_signed',
  'files.completion_claimed',
  'files.completion_released',
  'files.upload_assembled',
  'files.upload_completed',
  'files.upload_aborted',
  'files.parts_discarded',
  'files.deleted',
  'dispatch.rows_claimed',
  'dispatch.cr_created',
  'dispatch.dispatch_recorded',
  'dispatch.canary_sent',
  'dispatch.canary_written',
  'dispatch.failure_recorded',
  'dispatch.command_refused',
  'leader.lease_written',
  'operator.finalizer_added',
  'operator.imported',
  'operator.resource_adopted',
  'operator.undispatched',
  'operator.admitted',
  'operator.waits_recorded',
  'operator.warm_runner_created',
  'operator.warm_runner_bound',
  'operator.warm_runner_resized',
  'operator.warm_runner_adopted',
  'operator.warm_runner_labelled',
  'operator.warm_runner_retired',
  'operator.job_created',
  'operator.job_deleted',
  'operator.attempt_lost',
  'operator.outcome_committed',
  'operator.result_stored',
  'operator.outcome_restored',
  'operator.history_compared',
  'operator.status_patched',
  'operator.outcome_mirrored',
  'operator.returned_to_queue',
  'operator.start_wait_recorded',
  'operator.quota_released',
  'operator.job_ttl_set',
  'operator.finalizer_removed',
  'operator.cr_deleted',
  'operator.deletion_recorded',
  'operator.foreign_noticed',
  'uninstall.servers_stopped',
  'uninstall.job_deleted',
  'uninstall.finalizer_removed',
  'logs.object_put',
  'logs.recorded',
  'sweep.objects_deleted',
  'sweep.uploads_aborted',
  'sweep.recorded',
  'sweep.postponed',
  'sweep.uploads_expired',
  'sweep.files_expired',
  'retention.objects_deleted',
  'retention.rows_removed',
  'retention.usage_removed',
  'retention.visit_ended',
  'retention.visit_postponed',
  'deletion.asked',
  'deletion.command_cancelled',
  'deletion.cancel_requested',
  'deletion.files_deleted',
  'deletion.account_removed',
  'accounts.ensured',
  'accounts.key_written',
  'accounts.key_ensured',
  'accounts.registered',
  'accounts.registrations_forgotten',
  'accounts.mail_claimed',
  'accounts.token_added',
  'accounts.mail_sent',
  'accounts.mail_recorded',
  'accounts.mail_postponed',
  'accounts.activated',
  'accounts.key_added',
  'accounts.key_revoked',
  'migration.applied',
  'installation.claimed',
  'hints.listening',
  'hints.sent',
  'limits.key_claimed',
  'limits.answer_kept',
  'limits.key_released',
  'limits.usage_folded',
  'limits.peaks_recorded',
  'pauses.read',
  'limits.keys_expired',
  'limits.rates_forgotten',
  'webhook.url_set',
  'webhook.url_unset',
  'webhook.claimed',
  'webhook.body_kept',
  'webhook.sent',
  'webhook.recorded',
  'webhook.released',
  'webhook.expired',
  'webhook.rearmed',
  'gateway.attempt_claimed',
  'gateway.progress_stored',
  'gateway.multipart_created',
  'gateway.multipart_recorded',
  'gateway.urls_signed',
  'gateway.multipart_completed',
  'gateway.unrecorded_aborted',
  'gateway.upload_forgotten',
  'gateway.outcome_committed',
  'gateway.warm_runner_answered',
  'gateway.replied',
  'transfer.warm_runner_waiting',
  'transfer.assigned',
  'transfer.part_fetched',
  'transfer.pipe_made',
  'transfer.inputs_ready',
  'transfer.tiles_joined',
  'transfer.pipe_fed',
  'transfer.run_repeated',
  'transfer.growing_begun',
  'transfer.segments_stored',
  'transfer.part_put',
  'transfer.growing_completed',
  'transfer.step_stored',
  'transfer.reported',
  'supervisor.spawned',
  'supervisor.exited',
  'supervisor.probed',
] as const

/** Resolves after `delayMs`, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal))
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    function onAbort(): void {
      cancel()
      if (signal !== undefined) reject(abortReason(signal))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** The abort reason of a signal, as an error that can be thrown. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}

/** Waits for work that itself does not end with a signal. @throws the signal's reason once it aborts */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(abortReason(signal))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
