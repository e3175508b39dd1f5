import { objectStoreOptions } from '../../common/storage/storage-variables.ts'
import type { storageVariables } from '../../common/storage/storage-variables.ts'
import type { Settings } from '../../common/settings/settings.ts'

/** Both import the S3 client when they are called: 12 MB that most commands do not need. */
export function storageOpeners(settings: Settings<typeof storageVariables>) {
  const bucket = settings.CLOUD_FFMPEG_STORAGE_BUCKET
  return {
    async openStorage() {
      const { createBucketCors } = await import('../../common/storage/bucket/bucket-cors.ts')
      const { createBucketSetUp } = await import('../../common/storage/bucket/bucket-set-up.ts')
      return {
        bucket,
        cors: createBucketCors(objectStoreOptions(settings)),
        setUp: createBucketSetUp(objectStoreOptions(settings)),
        publicBaseUrl: settings.CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL,
        fetch,
      }
    },
    async openObjects() {
      const { createObjectStore } = await import('../../common/storage/create-object-store.ts')
      return { bucket, objects: createObjectStore(objectStoreOptions(settings)) }
    },
  }
}
