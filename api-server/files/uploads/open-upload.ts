import { sleep } from '../../../common/runtime/effects.ts'
import { refusal, Refusal, unavailable } from '../../http/errors.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { NoOpenUpload } from '../../../common/store/files.ts'

/** After this time another call may complete the upload; the commit in the database decides. */
export const claimSeconds = 30

const pollMs = 100
const longestWaitMs = 2 * claimSeconds * 1_000

/**
 * Retries while another call completes the upload. One of several concurrent calls wins; the others
 * can answer only when its outcome is known.
 * @throws Refusal 404, or 400 if the upload is not in progress
 */
export async function retryWhileCompleting<T extends { readonly kind: string }>(
  clock: Clock,
  ask: () => Promise<T | NoOpenUpload>,
): Promise<T> {
  const began = clock.monotonicMs()
  for (;;) {
    const answer = await ask()
    if (!isNoOpenUpload(answer)) return answer
    if (answer.kind !== 'completing') throw notOpen(answer)
    if (clock.monotonicMs() - began > longestWaitMs) throw new Refusal(unavailable)
    await sleep(clock, Math.min(pollMs, Math.ceil(answer.forMs)))
  }
}

export function notOpen(upload: NoOpenUpload): Refusal {
  if (upload.kind === 'unknown') return refusal(404, 'File not found')
  return upload.kind === 'ended' && upload.expired
    ? refusal(400, 'Upload session expired')
    : refusal(400, 'File is not in an upload-in-progress state')
}

function isNoOpenUpload(answer: { readonly kind: string }): answer is NoOpenUpload {
  return ['unknown', 'ended', 'completing'].includes(answer.kind)
}
