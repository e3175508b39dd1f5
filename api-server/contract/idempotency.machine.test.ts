import { expect } from 'chai'
import { refusalOf } from '../checked-call.fixture.ts'
import {
  begin,
  startFilesApp,
  storeOutputs,
  uploaded,
  useFilesApp,
} from '../../testing/support/api/files.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { initUpload, runChain, runSingle, storeFile } from './the-calls.fixture.ts'
import type { Failpoint } from '../../common/runtime/effects.ts'
import type { FilesApp } from '../../testing/support/api/files.ts'

interface Repeated {
  readonly path: string
  readonly body?: object
}

describe('a POST under its Idempotency-Key', () => {
  const app = useFilesApp()

  const submission = ({ path, body = {} }: { path: string; body?: object }) => ({ path, body })
  const calls: [string, () => Promise<Repeated>, () => Promise<number>][] = [
    ['run-ffmpeg-command', async () => submission(runSingle), () => app.count('commands')],
    ['run-chained-ffmpeg-commands', async () => submission(runChain), () => app.count('commands')],
    ['store-file', async () => submission(storeFile), () => app.count('files')],
    ['init-upload', async () => submission(initUpload), () => app.count('files')],
    [
      'complete-upload',
      async () => {
        const { fileId, parts } = await uploaded(app)
        return { path: `/v1/files/${fileId}/complete-upload`, body: { parts } }
      },
      () => app.count('commands'),
    ],
    [
      'abort-upload',
      async () => ({ path: `/v1/files/${(await begin(app)).fileId}/abort-upload` }),
      async () => 0,
    ],
    [
      'bulk-delete',
      async () => ({
        path: '/v1/files/bulk-delete',
        body: { file_ids: [(await storeOutputs(app)).one] },
      }),
      async () => 0,
    ],
  ]

  const post = ({ path, body }: Repeated, key: string, to: FilesApp = app) =>
    to.call(path, {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      ...(body === undefined ? {} : { body }),
    })

  for (const [name, prepare, made] of calls) {
    it(`${name} has one effect and the same answer again`, async () => {
      const request = await prepare()
      const first = await post(request, name)
      expect(first.status, JSON.stringify(first.body)).to.equal(200)
      const before = await made()
      const again = await post(request, name)
      expect([again.status, again.body]).to.deep.equal([200, first.body])
      expect(again.headers.get('idempotency-replayed')).to.equal('true')
      expect(await made()).to.equal(before)
    })

    it(`${name} is 422 for another request`, async () => {
      const answer = await post({ path: '/v1/files/store-file', body: { other: 1 } }, name)
      const mistake = 'header.idempotency-key idempotency_key_reused'
      expect(refusalOf(answer)).to.deep.equal([422, mistake])
    })

    it(`${name} is 409 while the first one is in flight`, async () => {
      const request = await prepare()
      const { failpoint, reached, goOn } = haltedAtTheEnd()
      const slow = await startFilesApp({ effects: systemEffects(failpoint) }, app)
      const first = post(request, `${name} twice`, slow)
      await reached
      const second = await post(request, `${name} twice`)
      const detail = 'A request with this Idempotency-Key is in progress'
      expect(refusalOf(second)).to.deep.equal([409, detail])
      expect(Number(second.headers.get('retry-after'))).to.be.at.least(1)
      goOn()
      const { status, body } = await first
      expect(status).to.equal(200)
      expect((await post(request, `${name} twice`)).body).to.deep.equal(body)
      await slow.close()
    })
  }
})

/** A process that crashes after the effect, before it stores its answer. */
function haltedAtTheEnd() {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<undefined>()
  const { promise: gate, resolve: open } = Promise.withResolvers<undefined>()
  const failpoint: Failpoint = async (name, effect) => {
    if (name === 'limits.answer_kept') {
      arrive(undefined)
      await gate
    }
    return effect()
  }
  return { failpoint, reached, goOn: () => open(undefined) }
}
