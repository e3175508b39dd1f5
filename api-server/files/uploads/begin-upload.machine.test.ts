import { rejectionOf } from '../../../testing/support/mocha.ts'
import { useFilesApp } from '../../../testing/support/api/files.ts'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { expect } from 'chai'
import { clientFor } from '../../../common/storage/client.ts'
import { uploadKey } from '../../../common/domain/storage-keys.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { beginUpload } from './begin-upload.ts'
import type { Failpoint } from '../../../common/runtime/effects.ts'

describe('beginUpload', function () {
  this.timeout(600_000)
  const app = useFilesApp()

  const newUpload = () => {
    const { accountId } = app.account
    const fileId = systemEffects().newId()
    const key = uploadKey({ visibility: 'private', accountId, fileId, name: 'a b.mp4' })
    const owner = { fileId, accountId, environmentName: null, isPrivate: true, webhookUrl: null }
    return { ...owner, originalFileUrl: 'a b.mp4', key, sizeBytes: 7, partBytes: 5_242_880 }
  }
  const beginWith = (upload: ReturnType<typeof newUpload>, failpoint?: Failpoint) => {
    const { store, objects } = app
    const effects = systemEffects(failpoint)
    return beginUpload({ store, objects, effects, uploadSessionSeconds: 900 }, upload)
  }

  async function openUploads(Prefix: string): Promise<string[]> {
    const client = clientFor(app.bucket, app.bucket.endpoint)
    const command = new ListMultipartUploadsCommand({ Bucket: app.bucket.bucket, Prefix })
    const { Uploads = [] } = await client.send(command)
    client.destroy()
    return Uploads.flatMap(({ UploadId }) => UploadId ?? [])
  }

  for (const name of ['files.row_committed', 'files.upload_created', 'files.upload_recorded']) {
    for (const when of ['before', 'after']) {
      it(`beginUpload continues after a crash ${when} ${name} in the first attempt`, async () => {
        const upload = newUpload()
        const crash: Failpoint = async (point, effect) => {
          if (point === name && when === 'before') throw new Error('crash')
          const result = await effect()
          if (point === name) throw new Error('crash')
          return result
        }
        const first = await rejectionOf(beginWith(upload, crash))
        expect(first).to.be.instanceOf(Error)
        const session = await beginWith(upload)
        expect(await openUploads(upload.key)).to.deep.equal([session.uploadId])
        expect(session.secondsLeft).to.be.within(899, 900)
        expect(await beginWith(upload)).to.include({ uploadId: session.uploadId, key: upload.key })
      })
    }
  }

  it('leaves no multipart upload open when the file is deleted meanwhile', async () => {
    const upload = newUpload()
    const { accountId, fileId } = upload
    const deleting: Failpoint = async (point, effect) => {
      const result = await effect()
      if (point === 'files.upload_created') {
        await app.store.deleteFiles({ accountId, fileIds: [fileId], withoutManifests: true })
      }
      return result
    }
    const error = await rejectionOf(beginWith(upload, deleting))
    expect(error).to.have.nested.property('answer.status', 503)
    expect(await openUploads(upload.key)).to.deep.equal([])
  })
})
