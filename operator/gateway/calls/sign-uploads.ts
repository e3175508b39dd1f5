import type {
  CompleteRequest,
  MultipartGrant,
  PartsRequest,
  SingleGrant,
  UploadRequest,
} from '../../../common/gateway/messages.ts'
import { outputKey } from '../../../common/domain/storage-keys.ts'
import { storedType } from '../../../common/domain/stored-type.ts'
import type { NewObject } from '../../../common/storage/object-store.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import { heldCommand, ok, refused } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import { growingPartSize, partCount, partSize, singlePutBytes } from './part-size.ts'
import type { Runner } from '../identity/runner-identity.ts'
import { scratchBytesOf } from './scratch-bytes.ts'
import { fitsStorage, withoutUrls } from './storage-quota.ts'

type UploadFile = UploadRequest['files'][number]

/**
 * URLs for exactly these files; keys are made here, below the prefix of the attempt. So are their types: a runner that
 * was taken over would have pages and scripts shown under the origin of the storage.
 */
export async function signUploads(
  deps: GatewayDeps,
  runner: Runner,
  { files }: UploadRequest,
): Promise<GatewayResponse> {
  const held = await heldCommand(deps.store, runner)
  if ('answer' in held) return held.answer
  const refusal = await fitsStorage(deps, runner, held.row, files)
  if (refusal !== null) return withoutUrls(refusal)
  const singles = await grantSingles(deps, runner, held.row, files.filter(isSingle))
  const grants = await Promise.all(
    files.map(async (file) => singles.get(file) ?? grantMultipart(deps, runner, held.row, file)),
  )
  return ok({ grants })
}

/** Fresh URLs for parts of an upload under way: the first ones have expired, or were not all. */
export async function signParts(
  deps: GatewayDeps,
  runner: Runner,
  { path, uploadId, partNumbers, sizes }: PartsRequest,
): Promise<GatewayResponse> {
  if (sizes.length !== partNumbers.length) {
    return refused(
      422,
      `sizes must have one entry for each of partNumbers, ${partNumbers.length}; got ${sizes.length}`,
    )
  }
  const held = await heldCommand(deps.store, runner)
  if ('answer' in held) return held.answer
  const most = partSize(scratchBytesOf(deps, runner, held.row))
  if (sizes.some((bytes) => bytes > most)) {
    return refused(422, `sizes must be at most ${most} bytes each; send smaller parts`)
  }
  const key = keyOf(held.row, runner, path)
  const upload = await deps.store.findUpload(runner.podUid, key)
  if (upload?.uploadId !== uploadId) return refused(404, 'No such upload of this attempt')
  const parts = partNumbers.map((partNumber, index) => ({
    partNumber,
    sizeBytes: sizes[index] ?? 0,
  }))
  return ok({ urls: await signAll(deps, key, uploadId, parts) })
}

export async function completeUpload(
  deps: GatewayDeps,
  runner: Runner,
  { path, uploadId, sizeBytes, parts }: CompleteRequest,
): Promise<GatewayResponse> {
  const { store, objects, effects, logger } = deps
  const held = await heldCommand(store, runner)
  if ('answer' in held) return held.answer
  const key = keyOf(held.row, runner, path)
  // A repeated call no longer finds the upload; the store then shows whether the object is there.
  const completion = await effects.failpoint('gateway.multipart_completed', () =>
    objects.completeMultipart({ key, uploadId, sizeBytes, parts }),
  )
  if (completion.kind === 'completed') {
    // One that was opened and not recorded would stay open: no sweep lists the prefix of an attempt that wins.
    await effects.failpoint('gateway.unrecorded_aborted', () => objects.abortMultipartsOf(key))
    await effects.failpoint('gateway.upload_forgotten', () => store.forgetUpload(uploadId))
    return ok({ etag: completion.etag })
  }
  const { commandId, podUid } = runner
  logger.warn('an upload could not be completed', {
    command_id: commandId,
    attempt: podUid,
    reason: completion.reason,
  })
  return refused(422, `The upload could not be completed: ${completion.reason}`)
}

type SingleFile = UploadFile & { readonly sizeBytes: number }

function isSingle(file: UploadFile): file is SingleFile {
  return file.sizeBytes !== null && file.sizeBytes <= singlePutBytes
}

async function grantSingles(
  { objects, effects, settings }: GatewayDeps,
  runner: Runner,
  row: ReconcileRow,
  files: readonly SingleFile[],
): Promise<Map<UploadFile, SingleGrant>> {
  if (files.length === 0) return new Map()
  const wanted = files.map(({ path, sizeBytes }) => ({
    key: keyOf(row, runner, path),
    sizeBytes,
    ...storedType(path),
  }))
  const signed = await effects.failpoint('gateway.urls_signed', () =>
    objects.presignPuts(wanted, settings.putUrlSeconds),
  )
  return new Map(
    files.flatMap((file, index) => {
      const put = signed[index]
      return put === undefined ? [] : [[file, { kind: 'single', path: file.path, ...put }]]
    }),
  )
}

async function grantMultipart(
  deps: GatewayDeps,
  runner: Runner,
  row: ReconcileRow,
  { path, sizeBytes }: UploadFile,
): Promise<MultipartGrant> {
  const key = keyOf(row, runner, path)
  const uploadId = await openUpload(deps, runner, { key, ...storedType(path) })
  const { partBytes, first } =
    sizeBytes === null
      ? { partBytes: growingPartSize(scratchBytesOf(deps, runner, row)), first: urlsOfGrowing }
      : { partBytes: partSize(sizeBytes), first: Math.min(urlsAtOnce, partCount(sizeBytes)) }
  const parts = Array.from({ length: first }, (_, index) => ({
    partNumber: index + 1,
    // The last part of a growing file is requested with its length once that is known.
    sizeBytes: Math.min(partBytes, (sizeBytes ?? Infinity) - index * partBytes),
  }))
  const urls = await signAll(deps, key, uploadId, parts)
  return { kind: 'multipart', path, uploadId, partBytes, urls }
}

/** One upload per attempt and key, so that a request whose answer was lost opens no second one. */
async function openUpload(
  { store, objects, effects }: GatewayDeps,
  { commandId, podUid }: Runner,
  object: NewObject,
): Promise<string> {
  const open = await store.findUpload(podUid, object.key)
  if (open !== null) return open.uploadId
  const uploadId = await effects.failpoint('gateway.multipart_created', () =>
    objects.createMultipart(object),
  )
  await effects.failpoint('gateway.multipart_recorded', () =>
    store.recordUpload({ commandId, attempt: podUid, key: object.key, uploadId }),
  )
  return uploadId
}

function signAll(
  { objects, effects, settings: { putUrlSeconds: expiresSeconds } }: GatewayDeps,
  key: string,
  uploadId: string,
  parts: readonly { readonly partNumber: number; readonly sizeBytes: number }[],
): Promise<string[]> {
  return effects.failpoint('gateway.urls_signed', () =>
    Promise.all(
      parts.map((part) => objects.presignPart({ key, uploadId, ...part, expiresSeconds })),
    ),
  )
}

const urlsAtOnce = 100
/** The number of parts and their pace are unknown. */
const urlsOfGrowing = 16

function keyOf(row: ReconcileRow, { podUid }: Runner, path: string): string {
  const { accountId, commandId } = row
  const visibility = row.isPrivate ? 'private' : 'public'
  return outputKey({ visibility, accountId, commandId, attempt: podUid, path })
}
