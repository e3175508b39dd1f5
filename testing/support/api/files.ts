import { startTestApp } from './app.ts'
import { claim } from './outcomes.ts'
import { commitOf, newFile } from '../../store-contract/fixtures.ts'
import { field, idOf } from '../../../api-server/checked-call.fixture.ts'
import { createFileUrls } from '../../../api-server/files/file-urls.ts'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { useResource } from '../mocha.ts'
import { openTestBucket } from '../object-store.ts'
import type { ObjectStoreOptions } from '../../../common/storage/object-store.ts'
import type { NewFile } from '../../../common/store/files.ts'

import type { AppOptions, TestApp } from './app.ts'

export const mebibyte = 1_048_576

export interface FilesApp extends TestApp {
  readonly bucket: ObjectStoreOptions
  readonly objects: ReturnType<typeof createObjectStore>
}

/** API key of an account `foreign` beside the one of the app. */
export const foreignKey = 'key-of-foreign'

/** `startFilesApp` before the tests of a `describe`, and its `close` after them. */
export function useFilesApp(change: Partial<AppOptions> = {}): FilesApp {
  return useResource(() => startFilesApp(change))
}

/** The API with a bucket of its own, or the one that is given, on a real S3 server. */
export async function startFilesApp(
  change: Partial<AppOptions> = {},
  replica?: FilesApp,
  own?: ObjectStoreOptions,
): Promise<FilesApp> {
  const bucket = own ?? replica?.bucket ?? (await openTestBucket())
  const objects = createObjectStore(bucket)
  const fileUrls = createFileUrls({
    publicBaseUrl: `${bucket.endpoint}/${bucket.bucket}`,
    presign: (key, expiresSeconds) =>
      objects.presignGet({ key, expiresSeconds, endpoint: 'public' }),
  })
  const app = await startTestApp({ objects, fileUrls, ...change }, replica)
  if (replica === undefined) await app.addAccount('foreign', 'pro', foreignKey)
  return {
    ...app,
    bucket,
    objects,
    async close() {
      await app.close()
      objects.close()
    },
  }
}

export interface Begun {
  readonly fileId: string
  readonly partSize: number
  readonly urls: string[]
  readonly expiresAt: Date
}

export async function begin(app: FilesApp, body: object = {}): Promise<Begun> {
  const answer = await app.post('/v1/files/init-upload', {
    filename: 'clip.mp4',
    size_bytes: 5 * mebibyte + 1_000,
    part_size: 5 * mebibyte,
    ...body,
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  const urls = field(answer.body, 'upload_urls')
  return {
    fileId: idOf(answer, 'file_id'),
    partSize: Number(field(answer.body, 'part_size')),
    urls: Array.isArray(urls) ? urls.map(String) : [],
    expiresAt: new Date(String(field(answer.body, 'expires_at'))),
  }
}

export interface Part {
  readonly part_number: number
  readonly etag: string
}

/** PUTs the bytes as a client would: no key, no header. */
export async function putParts(urls: readonly string[], sizes: readonly number[]): Promise<Part[]> {
  return Promise.all(
    sizes.map(async (size, index) => {
      const body = Buffer.alloc(size, index + 1)
      const answer = await fetch(urls[index] ?? '', { method: 'PUT', body })
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
      return { part_number: index + 1, etag: answer.headers.get('etag') ?? '' }
    }),
  )
}

export const usualSizes = [5 * mebibyte, 1_000]

/** An upload with all its parts stored. */
export async function uploaded(app: FilesApp, body: object = {}) {
  const begun = await begin(app, body)
  return { ...begun, parts: await putParts(begun.urls, usualSizes) }
}

export function complete(app: FilesApp, fileId: string, parts: readonly Part[]) {
  return app.post(`/v1/files/${fileId}/complete-upload`, { parts })
}

export function abort(app: FilesApp, fileId: string) {
  return app.call(`/v1/files/${fileId}/abort-upload`, { method: 'POST' })
}

/** @returns the id of a file to store */
export async function fileToStore(app: FilesApp, body: object = {}): Promise<string> {
  const file_url = 'https://media.example/clip.mov'
  const answer = await app.post('/v1/files/store-file', { file_url, ...body })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return idOf(answer, 'file_id')
}

/** The work on a stored file, and whether it is cancelled. */
export async function workOn(app: FilesApp, fileId: string) {
  return app.query<{ cancelled: boolean }>(
    'work_on',
    `select cancel_requested as cancelled from commands
     where command_id = $1 and command_type = 'STORED_FILE'`,
    [fileId],
  )
}

/** Detail of a refused call of an upload. */
export const notOpen =
  /^400,File is not in an upload-in-progress state: its status is (QUEUED|FAILED|UPLOADED|STORED)$/

/** A running command. */
export async function startCommand(app: FilesApp, isPrivate = false): Promise<string> {
  const commandId = await app.submit({ is_private: isPrivate })
  await claim(app, commandId)
  return commandId
}

/** Ends it with an output, a playlist and a zip. */
export async function storeOutputs(app: FilesApp, isPrivate = false) {
  const commandId = await startCommand(app, isPrivate)
  const half = isPrivate ? 'private' : 'public'
  const of = (alias: string, name: string, change: Partial<NewFile> = {}): NewFile => {
    const key = `${half}/a/${commandId}/pod/${name}`
    return { ...newFile(commandId), alias, key, ...change }
  }
  const { media } = newFile(commandId)
  const files = [
    of('out_1', 'small.mp4', { media: { ...media, file_type: 'video' } }),
    of('out_playlist_1', 'out_playlist_1/a.m3u8', {
      media: { ...media, file_type: 'output_manifest', file_format: 'm3u8' },
      fileCount: 3,
    }),
    of('OUTPUT_FOLDER', `${commandId}.zip`, {
      media: { ...media, file_type: 'zip' },
      compressedBytes: 1_000,
    }),
  ]
  const outcome = { status: 'SUCCESS', files } as const
  await app.store.commitOutcome(commitOf(commandId, `pod-${commandId}`, outcome))
  const [one = '', manifest = '', zip = ''] = files.map(({ fileId }) => fileId)
  return { commandId, one, manifest, zip }
}
