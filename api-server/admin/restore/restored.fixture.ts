import { attemptPrefix } from '../../../common/domain/storage-keys.ts'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { commitOf, newFile } from '../../../testing/store-contract/fixtures.ts'
import { openTestBucket } from '../../../testing/support/object-store.ts'
import { startTestApp } from '../../../testing/support/api/app.ts'
import { start } from '../../../testing/support/api/outcomes.ts'
import { administrationOf } from '../admin.fixture.ts'
import type { NewFile } from '../../../common/store/files.ts'

/** An API server with a bucket of its own, whose rows and objects a test makes disagree. */
export async function openRestored() {
  const bucket = await openTestBucket()
  const app = await startTestApp()
  const { accountId } = app.account
  const objects = createObjectStore(bucket)

  async function put(key: string, bytes = 10): Promise<string> {
    const object = { key, contentType: 'text/plain', attachment: false }
    await objects.putBytes({ ...object, bytes: Buffer.alloc(bytes) })
    return key
  }

  return {
    app,
    accountId,
    bucket,
    objects,
    put,
    ...administrationOf(app, bucket),
    /** Does what the operator's leader does first. */
    async compared() {
      await app.store.recordCompared((await app.store.readHistory()).current)
    },
    /** A command that has ended in SUCCESS with one file and its object. */
    async stored(change: Partial<NewFile> = {}, name = 'o.mp4') {
      const commandId = await app.submit()
      const attempt = await start(app, commandId)
      const folder = attemptPrefix({ visibility: 'public', accountId, commandId, attempt })
      const file = { ...newFile(commandId), key: `${folder}${name}`, ...change }
      const outcome = commitOf(commandId, attempt, { status: 'SUCCESS', files: [file] })
      await app.store.commitOutcome(outcome)
      await app.store.releaseQuota(commandId)
      await put(file.key)
      return { ...file, commandId, attempt, folder }
    },
    left: async (keys: readonly string[]) => {
      const found = await Promise.all(keys.map((key) => objects.head(key)))
      return keys.filter((_, index) => found[index] !== null)
    },
    async close() {
      objects.close()
      await app.close()
    },
  }
}
