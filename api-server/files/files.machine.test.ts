import { expect } from 'chai'
import { unknownId } from '../../testing/support/api/app.ts'
import { checkedCall, field, placesOf, refusalOf } from '../checked-call.fixture.ts'
import {
  abort,
  begin,
  complete,
  startFilesApp,
  storeOutputs,
  useFilesApp,
  foreignKey,
  fileToStore,
  uploaded,
  workOn,
} from '../../testing/support/api/files.ts'
import { claim } from '../../testing/support/api/outcomes.ts'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'

describe('files', () => {
  const app = useFilesApp()

  const get = (fileId: string, query = '') => app.call(`/v1/files/${fileId}${query}`)
  const remove = (fileId: string) => app.remove(`/v1/files/${fileId}`)
  const removeOutputs = (commandId: string) => app.remove(`/v1/commands/${commandId}/files`)

  describe('POST /v1/files/store-file', () => {
    it('records the file and its work in one commit, and notifies dispatch', async () => {
      const notifications = app.notifications()
      const fileId = await fileToStore(app, {
        is_private: 'TRUE',
        webhook_url: null,
        unknown_field: 1,
      })
      expect(app.notifications()).to.equal(notifications + 1)
      expect((await get(fileId)).body).to.include({
        file_id: fileId,
        status: 'QUEUED',
        service_store_type: 'STORED_FILE',
        storage_url: null,
        is_private: true,
        size_mbytes: null,
        command_id: null,
        original_file_url: 'https://media.example/clip.mov',
      })
      expect(await workOn(app, fileId)).to.have.length(1)
      expect((await app.call(`/v1/commands/${fileId}`)).status).to.equal(404)
      expect(refusalOf(await removeOutputs(fileId))).to.deep.equal([
        404,
        `Command files not found: ${fileId}`,
      ])
    })

    it('rejects invalid URLs, other schemes and passwords', async () => {
      for (const file_url of ['clip.mov', 'ftp://a.example/b', 'https://u:p@a.example/b', '']) {
        const answer = await app.post('/v1/files/store-file', { file_url })
        expect(placesOf(answer), file_url).to.deep.equal(['body.file_url url_parsing'])
      }
      const guessed = await app.post('/v1/files/store-file', { url: 'https://a.example/b' })
      expect(JSON.stringify(guessed.body)).to.contain("Field required; found 'url'")
    })
  })

  describe('GET /v1/files/{file_id}', () => {
    it('presigns private stored files only, with the requested lifetime', async () => {
      const { one } = await storeOutputs(app, true)
      const plain = field((await get(one)).body, 'storage_url')
      expect(plain).to.match(/\/private\/.*small\.mp4$/)
      for (const query of ['?presigned_ttl_seconds=', '?presigned_ttl_seconds=null']) {
        const { status, body } = await get(one, query)
        if (status === 200) expect(field(body, 'storage_url')).to.equal(plain)
      }
      for (const seconds of [1, 604_800]) {
        const { body } = await get(one, `?presigned_ttl_seconds=${seconds}`)
        const url = new URL(String(field(body, 'storage_url')))
        expect(url.searchParams.get('X-Amz-Expires')).to.equal(String(seconds))
        expect(url.pathname).to.equal(new URL(String(plain)).pathname)
      }
      const open = (await storeOutputs(app)).one
      const { body } = await get(open, '?presigned_ttl_seconds=60')
      expect(field(body, 'storage_url')).not.to.contain('X-Amz')
      await remove(one)
      const deleted = await get(one, '?presigned_ttl_seconds=60')
      expect(deleted.body).to.include({ is_deleted: true, storage_url: null, status: 'STORED' })
    })

    it('presigns URLs that open, in records and lists, as the submission requested', async () => {
      const commandId = await app.submit({ is_private: true, presigned_ttl_seconds: 600 })
      await claim(app, commandId)
      const file = { ...newFile(commandId), key: `private/a/${commandId}/pod/small.txt` }
      await app.objects.putBytes({
        key: file.key,
        bytes: Buffer.from('small'),
        contentType: 'text/plain',
        attachment: false,
      })
      await app.store.commitOutcome(
        commitOf(commandId, `pod-${commandId}`, { status: 'SUCCESS', files: [file] }),
      )
      const { output_files: outputs } = await app.record(`/v1/commands/${commandId}`)
      const [listed] = await app.list(`/v1/files?command_id=${commandId}`)
      for (const shown of [field(outputs, file.alias), (await get(file.fileId)).body, listed]) {
        const url = String(field(shown, 'storage_url'))
        expect(new URL(url).searchParams.get('X-Amz-Expires')).to.equal('600')
        expect(await (await fetch(url)).text()).to.equal('small')
        expect((await fetch(url.replace(/\?.*/, ''))).status).to.equal(403)
      }
    })

    it('presigns a URL that browsers save, of a public file too, under its name', async () => {
      const { one } = await storeOutputs(app)
      const query = '?presigned_ttl_seconds=60&download=true'
      const url = new URL(String(field((await get(one, query)).body, 'storage_url')))
      expect(url.searchParams.get('X-Amz-Expires')).to.equal('60')
      expect(url.searchParams.get('response-content-disposition')).to.equal(
        `attachment; filename="small.mp4"; filename*=UTF-8''small.mp4`,
      )
      const name = "l'été (1).mp4"
      const { fileId, parts } = await uploaded(app, { filename: name })
      expect(field((await get(fileId, query)).body, 'storage_url')).to.equal(null)
      await complete(app, fileId, parts)
      const saved = await fetch(String(field((await get(fileId, query)).body, 'storage_url')))
      await saved.body?.cancel()
      expect(saved.status).to.equal(200)
      expect(saved.headers.get('content-disposition')).to.equal(
        `attachment; filename="l__t_ (1).mp4"; filename*=UTF-8''l%27%C3%A9t%C3%A9%20%281%29.mp4`,
      )
      await remove(one)
      expect((await get(one, query)).body).to.include({ storage_url: null })
      expect(placesOf(await get(one, '?download=true'))).to.deep.equal([
        'query.presigned_ttl_seconds value_error',
      ])
    })

    it('answers 404 for files of other accounts', async () => {
      const { one } = await storeOutputs(app)
      const key = foreignKey
      for (const answer of [
        await app.call(`/v1/files/${one}`, { key }),
        await checkedCall(app.url, `/v1/files/${one}`, { key, method: 'DELETE' }),
        await get(unknownId),
        await remove(unknownId),
      ]) {
        expect(refusalOf(answer).join()).to.match(/^404,File not found: ./)
      }
    })
  })

  describe('GET /v1/files', () => {
    it('lists outputs and stored files in every state, newest first, without deleted ones', async () => {
      const own = await startFilesApp()
      const list = async (query = '') =>
        (await own.list(`/v1/files${query}`)).map((file) => file['file_id'])
      expect(await list()).to.deep.equal([])
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1) {
        ids.unshift((await begin(own, { filename: `${count}.mp4` })).fileId)
      }
      await abort(own, ids[1] ?? '')
      await own.remove(`/v1/files/${ids[2]}`)
      const rest = ids.toSpliced(2, 1)
      expect(await list()).to.deep.equal(rest)
      expect(await list('?limit=1')).to.deep.equal(rest.slice(0, 1))
      expect(await list('?limit=1000&offset=3')).to.deep.equal(rest.slice(3))
      expect(await list('?offset=4')).to.deep.equal([])
      expect(await list('?status=FAILED&limit=1')).to.deep.equal([ids[1]])
      await own.close()
    })
  })
})
