import { expect } from 'chai'
import { startTestApp } from '../app.fixture.ts'
import { checkedCall, field } from '../checked-call.fixture.ts'
import type { TestApp } from '../app.fixture.ts'
import type { Answered, Sent } from '../checked-call.fixture.ts'

const unknownId = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'
const path = '/v1/run-ffmpeg-command'

describe('paths', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app.close())

  const call = (where: string, sent: Sent = {}): Promise<Answered> =>
    checkedCall(app.url, where, { key: app.key, ...sent })

  it('that do not exist answer 404 with a hint, without a key', async () => {
    for (const where of ['/v1/jobs', '/v1/run', '/v1/command/7', '/nowhere', '/api/v1/jobs']) {
      const { status, body } = await call(where, { key: null })
      expect([status, String(field(body, 'detail')).slice(0, 9)]).to.deep.equal([404, 'Not found'])
    }
  })

  it('that exist with other methods answer 405 with those, without a key', async () => {
    const wrong: [string, string, string][] = [
      ['POST', '/v1/commands', 'GET, HEAD'],
      ['GET', path, 'POST'],
      ['DELETE', `/v1/commands/${unknownId}`, 'GET, HEAD'],
      ['OPTIONS', path, 'POST'],
    ]
    for (const [method, where, allow] of wrong) {
      const answered = await call(where, { method, key: null })
      expect([answered.status, answered.headers.get('allow')]).to.deep.equal([405, allow])
    }
  })

  it('that are badly encoded answer 404', async () => {
    expect((await call('/v1/commands/%zz')).status).to.equal(404)
  })

  it('answer HEAD like GET, without a body', async () => {
    expect((await call('/v1/commands', { method: 'HEAD' })).status).to.equal(200)
  })
})
