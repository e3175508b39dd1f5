import { expect } from 'chai'
import { ObjectStoreUnavailable } from '../../../common/storage/object-store.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { pro } from '../../../testing/support/api/app.ts'
import { field, placesOf, refusalOf } from '../../checked-call.fixture.ts'
import {
  abort,
  begin,
  mebibyte,
  startFilesApp,
  useFilesApp,
} from '../../../testing/support/api/files.ts'
import type { Failpoint } from '../../../common/runtime/effects.ts'

describe('beginning an upload', () => {
  const app = useFilesApp()

  describe('POST /v1/files/init-upload', () => {
    const init = (body: object) =>
      app.post('/v1/files/init-upload', { filename: 'a.mp4', size_bytes: 30 * mebibyte, ...body })

    it('answers a session: id, part size, one URL for each part, and when it ends', async () => {
      const answer = await init({})
      expect(answer.status).to.equal(200)
      expect(field(answer.body, 'part_size')).to.equal(16 * mebibyte)
      expect(field(answer.body, 'upload_urls')).to.have.length(2)
      const { expiresAt } = await begin(app)
      const [{ at } = { at: new Date(0) }] = await app.query<{ at: Date }>(
        'tomorrow',
        `select now() + interval '1 day' as at`,
      )
      expect(expiresAt.getTime()).to.be.closeTo(at.getTime(), 1)
    })

    it('raises the part size to 5 MiB, accepts numbers as text, and ignores unknown fields', async () => {
      const sizes = { size_bytes: '31457280', part_size: '4194304' }
      const begun = await begin(app, { ...sizes, checksum: 'x' })
      expect(begun.partSize).to.equal(5 * mebibyte)
      expect(begun.urls).to.have.length(6)
      const body = { filename: 'clip.mp4', size_bytes: 31_457_280 }
      const path = '/v1/files/init-upload'
      const raised = await app.post(path, { ...body, part_size: 4_194_304 })
      expect(raised.headers.get('warning')).to.contain('part_size 4194304 is raised to 5242880')
      expect((await app.post(path, body)).headers.has('warning')).to.equal(false)
    })

    it('an upload never needs more than 10,000 parts', async () => {
      const size = 60_000 * mebibyte + 1
      const begun = await begin(app, { size_bytes: size, part_size: 1 })
      expect(begun.urls).to.have.length(10_000)
      expect(Math.ceil(size / begun.partSize)).to.equal(10_000)
      const parts = begun.urls.map((url) => new URL(url).searchParams.get('partNumber'))
      expect([parts[0], parts[4_999], parts.at(-1)]).to.deep.equal(['1', '5000', '10000'])
    })

    it('rejects invalid sizes, names and part sizes', async () => {
      for (const [body, place] of [
        [{ size_bytes: 0 }, 'body.size_bytes greater_than_equal'],
        [{ size_bytes: -1 }, 'body.size_bytes greater_than_equal'],
        [{ size_bytes: 1.5 }, 'body.size_bytes int_parsing'],
        [{ size_bytes: true }, 'body.size_bytes int_parsing'],
        [{ size_bytes: null }, 'body.size_bytes int_parsing'],
        [{ filename: '' }, 'body.filename string_too_short'],
        [{ filename: 'a/b.mp4' }, 'body.filename string_pattern_mismatch'],
        [{ filename: 'a\\b.mp4' }, 'body.filename string_pattern_mismatch'],
        [{ filename: '..' }, 'body.filename string_pattern_mismatch'],
        [{ filename: '.' }, 'body.filename string_pattern_mismatch'],
        [{ filename: 'a\u0000b' }, 'body.filename string_pattern_mismatch'],
        [{ filename: 'ä'.repeat(128) }, 'body.filename string_too_long'],
        [{ part_size: 0 }, 'body.part_size greater_than_equal'],
        [{ is_private: 'maybe' }, 'body.is_private bool_parsing'],
        [{ webhook_url: 'ftp://a.example/' }, 'body.webhook_url url_parsing'],
      ] as const) {
        const answer = await init(body)
        expect(placesOf(answer), JSON.stringify(body)).to.deep.equal([place])
      }
      const missing = await app.post('/v1/files/init-upload', { name: 'a.mp4' })
      expect(placesOf(missing)).to.have.members([
        'body.filename missing',
        'body.size_bytes missing',
      ])
    })

    it('returns 403 when the file is larger than the plan or the free storage', async () => {
      const small = { ...pro, storageMbytes: 10, maxFileMbytes: 10 }
      const limited = await startFilesApp({ plans: { pro: small } })
      const size = (mbytes: number) => ({ filename: 'a.mp4', size_bytes: mbytes * mebibyte })
      const call = (body: object) => limited.post('/v1/files/init-upload', body)
      const detail = "The file has 11 MB, plan 'pro' allows 10 MB per file"
      expect(refusalOf(await call(size(11)))).to.deep.equal([403, detail])
      const begun = await begin(limited, size(9))
      expect((await call(size(9))).status).to.equal(403)
      await abort(limited, begun.fileId)
      expect((await call(size(9))).status).to.equal(200)
      await limited.close()
    })

    it('answers 503 with Retry-After while the object store is unavailable', async () => {
      const failpoint: Failpoint = async (name, effect) => {
        if (name === 'files.upload_created') throw new ObjectStoreUnavailable(new Error('away'))
        return effect()
      }
      const away = await startFilesApp({ effects: systemEffects(failpoint) }, app)
      const answer = await away.post('/v1/files/init-upload', { filename: 'a', size_bytes: 1 })
      expect(answer.status).to.equal(503)
      expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1)
      await away.close()
    })
  })
})
