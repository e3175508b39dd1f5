import type {
  ClientUploads,
  ObjectStore,
  ObjectStoreOptions,
  SmallObjects,
} from '../../common/storage/object-store.ts'

/** Operations of the object store that the API uses. */
export type ApiObjectStore = ClientUploads &
  Pick<ObjectStore, 'presignGet' | 'presignGets'> &
  Pick<SmallObjects, 'readBytes' | 'readRange'>

/** The S3 client is loaded with the first call: many replicas never need it, and it is large. */
export function createLazyObjectStore(options: ObjectStoreOptions): ApiObjectStore {
  let loading: Promise<ApiObjectStore> | undefined
  const loaded = (): Promise<ApiObjectStore> => {
    loading ??= import('../../common/storage/create-object-store.ts').then((module) =>
      module.createObjectStore(options),
    )
    return loading
  }
  return {
    presignGet: async (options) => (await loaded()).presignGet(options),
    presignGets: async (keys, expiresSeconds) => (await loaded()).presignGets(keys, expiresSeconds),
    presignParts: async (parts) => (await loaded()).presignParts(parts),
    listParts: async (key, uploadId) => (await loaded()).listParts(key, uploadId),
    createMultipart: async (object) => (await loaded()).createMultipart(object),
    completeMultipart: async (upload) => (await loaded()).completeMultipart(upload),
    abortMultipart: async (key, uploadId) => (await loaded()).abortMultipart(key, uploadId),
    abortMultiparts: async (prefix) => (await loaded()).abortMultiparts(prefix),
    readBytes: async (object) => (await loaded()).readBytes(object),
    readRange: async (range) => (await loaded()).readRange(range),
    head: async (key) => (await loaded()).head(key),
  }
}
