import { sleep } from '../../../common/runtime/effects.ts'
import { notFound, refusal, Refusal, unavailable } from '../../http/errors.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { NoOpenUpload } from '../../../common/store/files.ts'
import type { Store } from '../../../common/store/store.ts'

/** After this time another call may complete the upload; the commit in the database decides. */
export const claimSeconds = 30

interface UploadDeps {
  readonly store: Pick<Store, 'findFile'>
  readonly effects: Pick<Effects, 'clock'>
}

export interface UploadOf {
  readonly accountId: string
  readonly fileId: string
}

const pollMs = 100
const longestWaitMs = 2 * claimSeconds * 1_000

/**
 * Retries while another call completes the upload. One of several concurrent calls wins; the others
 * can answer only when its outcome is known.
 * @throws Refusal 404, or 400 if the upload is not in progress
 */
export async function retryWhileCompleting<T extends { readonly kind: string }>(
  { store, effects: { clock } }: UploadDeps,
  upload: UploadOf,
  ask: () => Promise<T | NoOpenUpload>,
): Promise<T> {
  const began = clock.monotonicMs()
  for (;;) {
    const answer = await ask()
    if (!isNoOpenUpload(answer)) return answer
    if (answer.kind !== 'completing') throw await notOpen(store, upload, answer)
    if (clock.monotonicMs() - began > longestWaitMs) throw new Refusal(unavailable)
    await sleep(clock, Math.min(pollMs, Math.ceil(answer.forMs)))
  }
}

/** The refusal names the present status of the file. */
export async function notOpen(
  store: UploadDeps['store'],
  { accountId, fileId }: UploadOf,
  upload: NoOpenUpload,
): Promise<Refusal> {
  if (upload.kind === 'unknown') return notFound('File', fileId)
  if (upload.kind === 'ended' && upload.expired)
    return refusal(400, 'Upload session expired', {}, 'upload_expired')
  const file = await store.findFile(accountId, fileId)
  if (file === null) return notFound('File', fileId)
  return refusal(400, `File is not in an upload-in-progress state: its status is ${file.status}`)
}

function isNoOpenUpload(answer: { readonly kind: string }): answer is NoOpenUpload {
  return ['unknown', 'ended', 'completing'].includes(answer.kind)
}
