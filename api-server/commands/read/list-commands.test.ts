import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { fail } from '../../../testing/support/api/outcomes.ts'

describe('GET /v1/commands', () => {
  const app = useApp()

  const list = async (query: string) => {
    const items = await app.list(`/v1/commands${query}`, { key: 'key-of-lister' })
    return items.map((item) => item['command_id'])
  }
  let ids: string[] = []
  before(async () => {
    await app.addAccount('lister', 'pro', 'key-of-lister')
    for (let count = 0; count < 3; count++) {
      ids.unshift(await app.submit({}, { key: 'key-of-lister' }))
    }
  })

  it('lists the newest command first, and pages by limit and offset', async () => {
    expect(await list('')).to.deep.equal(ids)
    expect(await list('?limit=1')).to.deep.equal(ids.slice(0, 1))
    expect(await list('?limit=1000&offset=1')).to.deep.equal(ids.slice(1))
    expect(await list('?offset=3')).to.deep.equal([])
    expect(await list('?offset=9007199254740991')).to.deep.equal([])
  })

  it('filters by status before paging', async () => {
    const [, second = ''] = ids
    await fail(app, second)
    expect(await list('?status=FAILED&limit=1')).to.deep.equal([second])
    expect(await list('?status=SUCCESS')).to.deep.equal([])
  })

  it('rejects an invalid limit or offset', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'status=DONE']) {
      expect((await app.call(`/v1/commands?${query}`)).status, query).to.equal(422)
    }
  })
})
