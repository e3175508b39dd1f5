import { ApiError, NoAnswerError } from './errors.ts'
import { sleep } from '../../common/runtime/effects.ts'
import type { CommandStatusRecord, FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Clock } from '../../common/runtime/effects.ts'

export interface WaitOptions<Record> {
  /** 1,000 by default. */
  readonly pollMs?: number
  readonly signal?: AbortSignal
  readonly onPoll?: (record: Record) => void
}

/** SUCCESS and FAILED never change again. */
export function hasEnded({ status }: Pick<CommandStatusRecord, 'status'>): boolean {
  return status === 'SUCCESS' || status === 'FAILED'
}

/** STORED and FAILED are the final states of a file. */
export function isSettled({ status }: Pick<FileRecord, 'status'>): boolean {
  return status === 'STORED' || status === 'FAILED'
}

/** Polls until `done` or the signal. Transient errors do not end the wait. */
export async function pollUntil<Record>(
  clock: Clock,
  read: () => Promise<Record>,
  done: (record: Record) => boolean,
  { pollMs = 1_000, signal, onPoll }: WaitOptions<Record>,
): Promise<Record> {
  for (;;) {
    const found = await read().then(
      (record) => ({ record, waitMs: pollMs }),
      (error: unknown) => ({ record: null, waitMs: Math.max(pollMs, outageMs(error)) }),
    )
    if (found.record !== null) {
      onPoll?.(found.record)
      if (done(found.record)) return found.record
    }
    await sleep(clock, found.waitMs, signal)
  }
}

/** Transient errors, after which polling continues: 429, 5xx, no answer. */
function outageMs(error: unknown): number {
  if (error instanceof NoAnswerError) return 0
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status < 500)) throw error
  return (error.retryAfterSeconds ?? 0) * 1_000
}
