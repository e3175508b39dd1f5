import { useApp } from '../../testing/support/api/app.ts'
import { expect } from 'chai'
import { refusalOf } from '../checked-call.fixture.ts'

describe('lists', () => {
  const app = useApp()

  for (const path of ['/v1/commands', '/v1/files']) {
    for (const [query, place] of [
      ['limit=0', 'query.limit greater_than_equal'],
      ['limit=1001', 'query.limit less_than_equal'],
      ['limit=x', 'query.limit int_parsing'],
      ['limit=1.5', 'query.limit int_parsing'],
      ['offset=-1', 'query.offset greater_than_equal'],
      ['status=DONE', 'query.status enum'],
    ] as const) {
      it(`a list at ${path} refuses ${query}`, async () => {
        const answer = await app.call(`${path}?${query}`)
        expect(refusalOf(answer)).to.deep.equal([422, place])
      })
    }
    for (const query of [
      'limit=1',
      'limit=',
      'limit=1000',
      'offset=1000000000',
      'limit=2.0&environment_name=x',
    ]) {
      it(`a list at ${path} accepts ${query}`, async () => {
        const answer = await app.call(`${path}?${query}`)
        expect(answer.status).to.equal(200)
        expect(answer.body).to.be.an('array')
      })
    }
  }
})
