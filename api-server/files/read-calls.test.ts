import { expect } from 'chai'
import { unknownId, useApp } from '../../testing/support/api/app.ts'
import { field } from '../checked-call.fixture.ts'

describe('GET /v1/files/{file_id}', () => {
  const app = useApp()

  it('shows a file to its account alone when others read it at the same time', async () => {
    await app.addAccount('other', 'pro', 'key-of-other')
    const body = { file_url: 'https://media.example/a.mp4' }
    const fileId = String(field((await app.post('/v1/files/store-file', body)).body, 'file_id'))
    const calls = [app.key, 'key-of-other', app.key, 'key-of-other'].map((key) =>
      app.call(`/v1/files/${fileId}`, { key }),
    )
    const others = [app.call(`/v1/files/${unknownId}`)]
    const answers = await Promise.all([...calls, ...others])
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 404, 200, 404, 404])
  })
})
