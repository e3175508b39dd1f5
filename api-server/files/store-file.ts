import { retryLostCommit } from '../../common/store/health.ts'
import { planOf } from '../../common/domain/plans.ts'
import { privateResultsAdvice } from '../../common/command-line/advice/private-results.ts'
import { endpoint } from '../http/endpoint.ts'
import { allowFile } from './allow-file.ts'
import { presignedTtlSeconds } from './file-urls.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { NewStoredFile } from '../../common/store/files.ts'
import type { Store } from '../../common/store/store.ts'
import type { QueueRoom } from '../limits/queue-room.ts'
import type { Endpoint } from '../http/endpoint.ts'

interface Deps {
  readonly store: Pick<Store, 'readUsage' | 'insertStoredFile'>
  readonly plans: Plans
  readonly queueRoom: QueueRoom
  readonly effects: Effects
  readonly notify: () => void
}

/** `POST /v1/files/store-file`: answers once the file is recorded; a runner will fetch it. */
export function storeFile({ store, plans, queueRoom, effects, notify }: Deps): Endpoint {
  return endpoint('storeFile', async ({ body }, { key, fields, newId, warnings }) => {
    const { account, environmentName } = key
    const flags = { isPrivate: body.is_private, webhookUrl: body.webhook_url?.trim() ?? null }
    const plan = planOf(plans, account)
    await allowFile(store, account, plan, { ...flags, sizeBytes: 0 })
    await queueRoom.require(account, plan, 'files')
    const file: NewStoredFile = {
      ...flags,
      fileId: newId(),
      accountId: account.accountId,
      environmentName,
      originalFileUrl: body.file_url.trim(),
      keepDays: plan.retention.filesDays,
      presignedTtlSeconds: presignedTtlSeconds(body),
    }
    fields['file_id'] = file.fileId
    await retryLostCommit(effects, 'files.row_committed', () => store.insertStoredFile(file))
    notify()
    const advice = privateResultsAdvice({ ...body, output_files: {} })
    warnings.push(...advice.map(({ message }) => message))
    return { status: 200, body: { file_id: file.fileId } }
  })
}
