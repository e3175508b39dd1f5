import { objectStoreOptions } from '../../common/storage/object-store-options.ts'
import type { SharedSettings } from '../../common/settings/settings.ts'

/** Both import the S3 client when they are called: 12 MB that most commands do not need. */
export function storageOpeners(settings: Pick<SharedSettings, 'storage' | 'environment'>) {
  const bucket = settings.storage.bucket
  return {
    async openStorage() {
      const { createBucketCors } = await import('../../common/storage/bucket/bucket-cors.ts')
      const { createBucketSetUp } = await import('../../common/storage/bucket/bucket-set-up.ts')
      return {
        bucket,
        cors: createBucketCors(objectStoreOptions(settings)),
        setUp: createBucketSetUp(objectStoreOptions(settings)),
        publicBaseUrl: settings.storage.publicBaseUrl,
        fetch,
      }
    },
    async openObjects() {
      const { createObjectStore } = await import('../../common/storage/create-object-store.ts')
      return { bucket, objects: createObjectStore(objectStoreOptions(settings)) }
    },
  }
}
