import { ObjectStoreUnavailable } from '../../../common/storage/object-store.ts'
import { sleep } from '../../../common/runtime/effects.ts'
import type {
  ObjectRemoval,
  ObjectStore,
  SmallObjects,
} from '../../../common/storage/object-store.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Random } from '../../support/random.ts'
import type { SimulatedProcess } from './process.ts'

/** A bucket: objects by key, and multipart uploads that are open. */
export interface FakeStorage
  extends
    ObjectStore,
    Pick<SmallObjects, 'putBytes' | 'readBytes'>,
    Pick<ObjectRemoval, 'deleteObjects'> {
  /** A runner's PUT to a presigned URL. @returns an ETag */
  put(url: string, sizeBytes: number): string
  has(key: string): boolean
  openUploads(): readonly string[]
  setAway(isAway: boolean): void
}

const base = 'https://s3.example/bucket/'

export function createFakeStorage(): FakeStorage {
  const objects = new Map<string, number>()
  const found = (sizeBytes: number) => ({ sizeBytes, etag: `etag-${sizeBytes}` })
  /** Contents that our own processes write. */
  const contents = new Map<string, Uint8Array>()
  const uploads = new Map<string, { key: string; parts: Map<number, number> }>()
  let isAway = false
  let opened = 0

  const reachable = <T>(answer: () => T): Promise<T> =>
    isAway
      ? Promise.reject(new ObjectStoreUnavailable(new Error('the bucket is away')))
      : Promise.resolve(answer())

  return {
    presignGet: ({ key }) => Promise.resolve(base + key),
    presignGets: (keys) => Promise.resolve(keys.map((key) => base + key)),
    presignPuts: (objects) =>
      Promise.resolve(objects.map(({ key }) => ({ url: base + key, headers: {} }))),
    presignPart: ({ key, uploadId, partNumber }) =>
      Promise.resolve(`${base}${key}?uploadId=${uploadId}&partNumber=${partNumber}`),
    createMultipart: ({ key }) =>
      reachable(() => {
        opened += 1
        const uploadId = `upload-${opened}`
        uploads.set(uploadId, { key, parts: new Map() })
        return uploadId
      }),
    completeMultipart: ({ key, uploadId, sizeBytes, parts }) =>
      reachable(() => {
        const upload = uploads.get(uploadId)
        const stored = parts.reduce(
          (sum, { partNumber }) => sum + (upload?.parts.get(partNumber) ?? 0),
          0,
        )
        if (upload !== undefined && stored === sizeBytes) {
          objects.set(key, sizeBytes)
          uploads.delete(uploadId)
        }
        return objects.get(key) === sizeBytes
          ? { kind: 'completed', etag: found(sizeBytes).etag }
          : { kind: 'refused', reason: 'parts are missing' }
      }),
    abortMultipart: (_key, uploadId) => reachable(() => void uploads.delete(uploadId)),
    abortMultiparts: (prefix) =>
      reachable(() => {
        for (const [id, { key }] of uploads) if (key.startsWith(prefix)) uploads.delete(id)
      }),
    abortMultipartsOf: (key) =>
      reachable(() => {
        for (const [id, upload] of uploads) if (upload.key === key) uploads.delete(id)
      }),
    putBytes: ({ key, bytes }) =>
      reachable(() => {
        objects.set(key, bytes.length)
        contents.set(key, bytes)
      }),
    readBytes: ({ key }) =>
      reachable(() => (objects.has(key) ? (contents.get(key) ?? null) : null)),
    deleteObjects: (keys) =>
      reachable(() => {
        for (const key of keys) objects.delete(key)
        return new Map()
      }),
    head: (key) =>
      reachable(() => {
        const sizeBytes = objects.get(key)
        return sizeBytes === undefined ? null : found(sizeBytes)
      }),
    list: (prefix) =>
      reachable(() => {
        const below = [...objects].filter(([key]) => key.startsWith(prefix))
        return new Map(below.map(([key, sizeBytes]) => [key, found(sizeBytes)]))
      }),
    deletePrefix: (prefix) =>
      reachable(() => {
        const keys = [...objects.keys()].filter((key) => key.startsWith(prefix))
        for (const key of keys) objects.delete(key)
        return keys.length
      }),

    put(url, sizeBytes) {
      if (isAway) throw new Error('the bucket is away')
      const { pathname, searchParams } = new URL(url)
      const key = pathname.slice('/bucket/'.length)
      const uploadId = searchParams.get('uploadId')
      if (uploadId === null) objects.set(key, sizeBytes)
      else uploads.get(uploadId)?.parts.set(Number(searchParams.get('partNumber')), sizeBytes)
      return found(sizeBytes).etag
    },
    has: (key) => objects.has(key),
    openUploads: () => [...uploads.values()].map(({ key }) => key),
    setAway(away) {
      isAway = away
    },
  }
}

type ProcessStorage = Omit<FakeStorage, 'put' | 'has' | 'openUploads' | 'setAway'>

/** The bucket as one process reaches it. */
export function storageOf(
  process: SimulatedProcess,
  { storage, clock }: { storage: ProcessStorage; clock: Clock },
  random: Random,
): ProcessStorage {
  return new Proxy(storage, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: unknown[]): Promise<unknown> =>
        process.reach(async () => {
          await sleep(clock, random.between(1, 5))
          const answer: unknown = await Reflect.apply(method, target, args)
          return answer
        })
    },
  })
}
