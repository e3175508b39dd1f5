import { unknownId } from '../../testing/support/api/app.ts'
import { expect } from 'chai'
import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { field, placesOf, refusalOf } from '../checked-call.fixture.ts'
import {
  abort,
  begin,
  complete,
  mebibyte,
  startFilesApp,
  uploaded,
  useFilesApp,
  fileToStore,
  workOn,
  notOpen,
} from '../../testing/support/api/files.ts'
import type { Failpoint } from '../../common/runtime/effects.ts'

const expired = 'Upload session expired'

describe('uploads', () => {
  const app = useFilesApp()

  describe('POST /v1/files/{file_id}/complete-upload', () => {
    it('creates one public file from the parts, usable at once, and queues its analysis', async () => {
      const upload = await uploaded(app, { filename: 'my clip ä.mp4' })
      const notifications = app.notifications()
      const parts = upload.parts
        .map(({ part_number, etag }) => ({
          part_number: String(part_number),
          etag: part_number === 1 ? etag.replaceAll('"', '') : etag,
        }))
        .toReversed()
      const path = `/v1/files/${upload.fileId.toUpperCase()}/complete-upload`
      const answer = await app.post(path, { parts })
      expect(answer.status).to.equal(200)
      const url = String(field(answer.body, 'storage_url'))
      expect(answer.body).to.include({
        file_id: upload.fileId,
        status: 'UPLOADED',
        service_store_type: 'STORED_FILE',
        original_file_url: 'my clip ä.mp4',
        is_private: false,
        file_type: null,
        size_mbytes: (5 * mebibyte + 1_000) / mebibyte,
      })
      expect(url).to.match(new RegExp(`/public/[^/]+/${upload.fileId}/my_clip__.mp4$`))
      const key = url.slice(url.indexOf('public/'))
      expect(await app.objects.head(key)).to.include({ sizeBytes: 5 * mebibyte + 1_000 })
      expect(await app.store.findStoredObject(app.account.accountId, key)).to.deep.equal({
        name: 'my_clip__.mp4',
      })
      expect(app.notifications()).to.equal(notifications + 1)
      expect(await workOn(app, upload.fileId)).to.deep.equal([{ cancelled: false }])
      expect(await app.record(`/v1/files/${upload.fileId}`)).to.deep.equal(answer.body)
    })

    it('presigns no URL of a private file until it is stored', async () => {
      const upload = await uploaded(app, { is_private: 'true' })
      const answer = await complete(app, upload.fileId, upload.parts)
      const url = String(field(answer.body, 'storage_url'))
      expect(url).to.contain('/private/')
      expect((await fetch(url)).status).to.equal(403)
      const record = await app.record(`/v1/files/${upload.fileId}?presigned_ttl_seconds=60`)
      expect(record['storage_url']).to.equal(url)
    })

    it('keeps the session open when the parts are not the announced file', async () => {
      const upload = await uploaded(app)
      const [one, two] = upload.parts
      if (one === undefined || two === undefined) throw new Error('no parts')
      const third = { part_number: 3, etag: two.etag }
      for (const [parts, detail] of [
        [[one, { ...two, etag: '"0123"' }], /^Part 2 has the ETag ".+" in storage, not "0123"$/],
        [[one], /^The parts have 5242880 bytes together, 5243880 were announced$/],
        [[one, two, third], /^Part 3 is not in storage$/],
      ] as const) {
        const answer = await complete(app, upload.fileId, parts)
        expect(answer.status).to.equal(400)
        expect(field(answer.body, 'detail')).to.match(detail)
      }
      expect((await complete(app, upload.fileId, upload.parts)).status).to.equal(200)
    })

    it('a presigned URL refuses a part of another length than announced', async () => {
      const { urls } = await begin(app)
      for (const bytes of [999, 1_001]) {
        const answer = await fetch(urls[1] ?? '', { method: 'PUT', body: Buffer.alloc(bytes) })
        expect(answer.status).to.equal(403)
      }
    })

    it('requires the numbers 1 to N, each once, and an ETag for each', async () => {
      const { fileId } = await begin(app)
      const etag = '"x"'
      const numbered = (...numbers: number[]) =>
        numbers.map((part_number) => ({ part_number, etag }))
      for (const [parts, place] of [
        [[], 'body.parts too_short'],
        [numbered(1, 3), 'body.parts.1.part_number value_error'],
        [numbered(1, 1), 'body.parts.1.part_number value_error'],
        [numbered(0), 'body.parts.0.part_number greater_than_equal'],
        [[{ part_number: 1 }], 'body.parts.0.etag missing'],
        [[{ etag }], 'body.parts.0.part_number missing'],
      ] as const) {
        const answer = await app.post(`/v1/files/${fileId}/complete-upload`, { parts })
        expect(refusalOf(answer)).to.deep.equal([422, place])
      }
      const empty = await app.call(`/v1/files/${fileId}/complete-upload`, { method: 'POST' })
      expect(placesOf(empty)).to.deep.equal(['body missing'])
    })

    it('finds the object of a call that crashed between store and database', async () => {
      const upload = await uploaded(app)
      const claim = await app.store.claimCompletion({
        accountId: app.account.accountId,
        fileId: upload.fileId,
        claimSeconds: 60,
      })
      if (claim.kind !== 'claimed') throw new Error(claim.kind)
      const parts = upload.parts.map(({ part_number, etag }) => ({ partNumber: part_number, etag }))
      await app.objects.completeMultipart({ ...claim, parts })
      await app.age(60)
      const answer = await complete(app, upload.fileId, upload.parts)
      expect(answer.status).to.equal(200)
      expect(field(answer.body, 'status')).to.equal('UPLOADED')
    })

    for (const when of ['before', 'after']) {
      it(`answers 503 when the connection to the object store breaks ${when} the completion, then 200`, async () => {
        const upload = await uploaded(app)
        let isLost = false
        const failpoint: Failpoint = async (name, effect) => {
          if (name !== 'files.upload_assembled' || isLost) return effect()
          isLost = true
          if (when === 'after') await effect()
          throw new ObjectStoreUnavailable(new Error('connection reset'))
        }
        const replica = await startFilesApp({ effects: systemEffects(failpoint) }, app)
        const first = await complete(replica, upload.fileId, upload.parts)
        expect(first.status).to.equal(503)
        expect(Number(first.headers.get('retry-after'))).to.be.at.least(1)
        expect((await complete(replica, upload.fileId, upload.parts)).status).to.equal(200)
        await replica.close()
      })
    }

    it('the call survives a reply that is lost after the commit', async () => {
      const upload = await uploaded(app)
      let isLost = false
      const failpoint: Failpoint = async (name, effect) => {
        const result = await effect()
        if (name !== 'files.upload_completed' || isLost) return result
        isLost = true
        throw new DatabaseUnavailable(new Error('connection reset'))
      }
      const lossy = await startFilesApp({ effects: systemEffects(failpoint) }, app)
      expect((await complete(lossy, upload.fileId, upload.parts)).status).to.equal(200)
      expect(isLost).to.equal(true)
      await lossy.close()
    })
  })

  describe('POST /v1/files/{file_id}/abort-upload', () => {
    it('sets the file to FAILED, discards the parts and releases the quota', async () => {
      const upload = await uploaded(app)
      const used = (await app.store.readUsage(app.account.accountId)).storedBytes
      const answer = await abort(app, upload.fileId)
      expect(answer.status).to.equal(200)
      expect(answer.body).to.include({
        status: 'FAILED',
        error_status: 'CANCELLED',
        storage_url: null,
        size_mbytes: null,
        external_error_message: 'Upload aborted by request',
        is_deleted: false,
      })
      const late = await fetch(upload.urls[1] ?? '', {
        method: 'PUT',
        body: Buffer.alloc(1_000),
      })
      expect(late.status).to.equal(404)
      const { storedBytes } = await app.store.readUsage(app.account.accountId)
      expect(used - storedBytes).to.equal(5 * mebibyte + 1_000)
    })
  })

  it('uploads answer 400 to complete and abort once they are completed or aborted', async () => {
    const done = await uploaded(app)
    expect((await complete(app, done.fileId, done.parts)).status).to.equal(200)
    const gone = await uploaded(app)
    expect((await abort(app, gone.fileId)).status).to.equal(200)
    for (const fileId of [done.fileId, gone.fileId, await fileToStore(app)]) {
      for (const answer of [await complete(app, fileId, done.parts), await abort(app, fileId)]) {
        expect(refusalOf(answer).join()).to.match(notOpen)
      }
    }
  })

  it('uploads exist only for their account, and not after deletion', async () => {
    const { fileId, parts } = await uploaded(app)
    const key = 'key-of-foreign'
    const answers = [
      await app.post(`/v1/files/${fileId}/complete-upload`, { parts }, { key }),
      await app.call(`/v1/files/${fileId}/abort-upload`, { method: 'POST', key }),
      ...(await Promise.all(
        [unknownId, 'no-uuid', "'; drop table files"].flatMap((id) => [
          complete(app, encodeURIComponent(id), parts),
          abort(app, encodeURIComponent(id)),
        ]),
      )),
    ]
    const removed = await app.remove(`/v1/files/${fileId}`)
    expect(removed.status).to.equal(204)
    answers.push(await complete(app, fileId, parts), await abort(app, fileId))
    for (const answer of answers) {
      expect(refusalOf(answer).join()).to.match(/^404,File not found: ./)
    }
  })

  it('uploads expire', async () => {
    const old = await startFilesApp()
    const upload = await uploaded(old)
    await old.age(86_401)
    expect(refusalOf(await complete(old, upload.fileId, upload.parts))).to.deep.equal([
      400,
      expired,
    ])
    expect(refusalOf(await abort(old, upload.fileId))).to.deep.equal([400, expired])
    expect(await old.store.expireUploads(10)).to.equal(1)
    expect(refusalOf(await complete(old, upload.fileId, upload.parts))).to.deep.equal([
      400,
      expired,
    ])
    expect((await old.call(`/v1/files/${upload.fileId}`)).body).to.include({
      status: 'FAILED',
      error_status: 'UPLOAD_EXPIRED',
      external_error_message: 'Upload session expired after 24 hours',
    })
    await old.close()
  })
})
