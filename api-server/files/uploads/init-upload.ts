import { bytesPerMbyte, planOf } from '../../../common/domain/plans.ts'
import { uploadKey } from '../../../common/domain/storage-keys.ts'
import { requireFeature } from '../../accounts/allowance.ts'
import { endpoint } from '../../http/endpoint.ts'
import { refusal } from '../../http/errors.ts'
import { timestamp } from '../../http/format.ts'
import { allowFile } from '../allow-file.ts'
import { beginUpload } from './begin-upload.ts'
import { mostUploadBytes, partPlan } from './part-plan.ts'
import { signPartUrls } from './sign-part-urls.ts'
import type { Plan, Plans } from '../../../common/domain/plans.ts'
import type { AuthenticatedKey } from '../../../common/store/accounts.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { InitUploadBody } from '../../../common/openapi/openapi-types.ts'
import type { BeginUploadDeps, Upload } from './begin-upload.ts'
import type { SignPartUrlsDeps } from './sign-part-urls.ts'

export interface InitUploadDeps extends BeginUploadDeps, SignPartUrlsDeps {
  readonly store: BeginUploadDeps['store'] & Pick<Store, 'readUsage'>
  readonly objects: BeginUploadDeps['objects'] & SignPartUrlsDeps['objects']
  readonly plans: Plans
}

/** `POST /v1/files/init-upload`: a session, and a URL for each part that the client uploads. */
export function initUpload(deps: InitUploadDeps): Endpoint {
  return endpoint('initUpload', async ({ body }, { key, fields, newId, warnings }) => {
    await allowUpload(deps, key, body)
    const { partBytes, partCount } = partPlan(body.size_bytes, body.part_size ?? usualPartBytes)
    const changed = changedText(body.part_size ?? partBytes, partBytes)
    if (changed !== null) warnings.push(changed)
    const { filesDays } = planOf(deps.plans, key.account).retention
    const upload = { ...uploadFrom(body, key, newId(), partBytes), keepDays: filesDays }
    fields['file_id'] = upload.fileId
    const session = await beginUpload(deps, upload)
    const urls = await signPartUrls(deps, session, partCount)
    return {
      status: 200,
      body: {
        file_id: upload.fileId,
        part_size: partBytes,
        upload_urls: urls,
        expires_at: timestamp(session.expiresAt),
      },
    }
  })
}

const usualPartBytes = 16 * bytesPerMbyte

/** A client that cuts by the size that it asked for would upload parts that do not fit. */
function changedText(asked: number, partBytes: number): string | null {
  if (asked === partBytes) return null
  const how = partBytes > asked ? 'raised' : 'lowered'
  return `part_size ${asked} is ${how} to ${partBytes}: the storage takes 10000 parts of 5 MiB to 5 GiB; cut the file by the answered part_size`
}

/** @throws Refusal 403 */
async function allowUpload(
  { store, plans }: InitUploadDeps,
  { account }: AuthenticatedKey,
  body: InitUploadBody,
): Promise<void> {
  const plan = planOf(plans, account)
  const sizeBytes = body.size_bytes
  requireFeature(account, plan, 'uploads')
  const largest = largestBytes(plan)
  if (sizeBytes > largest) {
    const [size, most] = [sizeBytes, largest].map((bytes) => Math.ceil(bytes / bytesPerMbyte))
    throw refusal(
      403,
      `The file has ${size} MB, plan '${account.plan}' allows ${most} MB per file`,
      {},
      'plan_limit',
    )
  }
  const webhookUrl = body.webhook_url ?? null
  await allowFile(store, account, plan, { isPrivate: body.is_private, webhookUrl, sizeBytes })
}

function largestBytes({ maxFileMbytes }: Plan): number {
  const planned = maxFileMbytes === null ? Infinity : maxFileMbytes * bytesPerMbyte
  return Math.min(planned, mostUploadBytes)
}

function uploadFrom(
  body: InitUploadBody,
  { account: { accountId }, environmentName }: AuthenticatedKey,
  fileId: string,
  partBytes: number,
): Upload {
  const visibility = body.is_private ? 'private' : 'public'
  return {
    fileId,
    accountId,
    environmentName,
    isPrivate: body.is_private,
    webhookUrl: body.webhook_url?.trim() ?? null,
    originalFileUrl: body.filename,
    key: uploadKey({ visibility, accountId, fileId, name: body.filename }),
    sizeBytes: body.size_bytes,
    partBytes,
  }
}
