import type { ObjectStore, ObjectStoreOptions } from '../../common/object-store.ts'
import type { Presign } from './file-urls.ts'

/**
 * Signs GETs of private outputs for the address that users reach. The S3 client is loaded with the
 * first one: most installations never need it here.
 */
export function createPresign(options: ObjectStoreOptions): Presign {
  let loading: Promise<ObjectStore> | undefined
  return async (key, expiresSeconds) => {
    loading ??= import('../../common/object-store.ts').then((module) =>
      module.createObjectStore(options),
    )
    return (await loading).presignGet({ key, expiresSeconds, endpoint: 'public' })
  }
}
