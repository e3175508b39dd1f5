import { sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { abortReason } from '../../../common/runtime/effects.ts'
import { backoffMs } from '../runtime/backoff.ts'
import { putBytes } from './put-bytes.ts'
import type { PutAnswer, StorageClient, Stored } from './put-bytes.ts'
import type { Put } from './send-range.ts'

export interface Grant {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface PutJob extends Omit<Put, 'url' | 'headers'> {
  /** Output that the bytes belong to, for sentences. */
  readonly alias: string
  /** @param fresh true if the URL given before was refused */
  readonly grant: (fresh: boolean) => Promise<Grant>
}

export const triesPerPart = 5

/**
 * Stores a range of a file; retries if storage or the connection failed, and with a new URL if the
 * old one was refused: it has expired, or the clocks differ.
 * @throws Failure STORAGE_ERROR once the tries are used up
 */
export async function putWithRetries(
  job: PutJob,
  client: StorageClient,
  effects: Effects,
  signal: AbortSignal,
): Promise<Stored> {
  let fresh = false
  for (let failures = 1; ; failures++) {
    const grant = await job.grant(fresh)
    const answer = await effects
      .failpoint('transfer.part_put', () => putBytes({ ...job, ...grant }, client, signal))
      .catch((error: unknown) => ({ kind: 'broken' as const, error }))
    if (answer.kind === 'stored') return answer
    if (signal.aborted) throw abortReason(signal)
    if (failures === triesPerPart || isFinal(answer)) throw storageError(job.alias, answer)
    fresh = answer.kind === 'refused' && answer.status >= 400 && answer.status < 404
    await sleep(effects.clock, backoffMs(failures, effects.random(), null), signal)
  }
}

type NotStored = Exclude<PutAnswer, Stored> | { readonly kind: 'broken'; readonly error: unknown }

/** An upload that is gone (404) stays gone; other errors of storage have proven transient. */
function isFinal(answer: NotStored): boolean {
  return answer.kind === 'refused' && answer.status === 404
}

function storageError(alias: string, answer: NotStored): Failure {
  return answer.kind === 'refused'
    ? new Failure(
        'STORAGE_ERROR',
        `${alias} could not be stored: storage answered ${String(answer.status)}`,
        { cause: new Error(answer.body) },
      )
    : new Failure('STORAGE_ERROR', `${alias} could not be stored: storage could not be reached`, {
        cause: answer.error,
      })
}
