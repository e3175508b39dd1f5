import { expect } from 'chai'
import { useRegistrationApp } from './registration.fixture.ts'
import { placesOf } from '../../checked-call.fixture.ts'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { testPool } from '../../../testing/support/database.ts'

describe('the rate of a client address', () => {
  const app = useRegistrationApp({ requestsPerHour: 3, change: { trustedProxies: 1 } })

  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const email = 'someone@example.com'

  it('applies to each of the two calls, before the body is checked', async () => {
    for (let n = 1; n <= 3; n++) {
      expect((await app.register({ email }, from('192.0.2.1'))).status).to.equal(202)
    }
    const refused = await app.register({ email: 'no address' }, from('192.0.2.1'))
    expect(refused.status).to.equal(429)
    expect(refused.headers.get('retry-after')).to.equal('1200')
    expect((await app.activate('unknown', from('192.0.2.1'))).status).to.equal(400)
    expect((await app.register({ email }, from('192.0.2.2'))).status).to.equal(202)
  })

  it('counts refused requests too', async () => {
    for (let n = 1; n <= 3; n++) {
      const answer = await app.register({ email: 'no address' }, from('192.0.2.3'))
      expect(placesOf(answer)).to.deep.equal(['body.email value_error'])
    }
    expect((await app.register({ email }, from('192.0.2.3'))).status).to.equal(429)
  })

  it('trusts as many proxies as the setting says', async () => {
    for (let n = 1; n <= 3; n++) await app.activate('x', from(`203.0.113.${n}, 192.0.2.4`))
    expect((await app.activate('x', from('203.0.113.4, 192.0.2.4'))).status).to.equal(429)
  })

  it('counts an IPv6 network as one client', async () => {
    const statuses = []
    for (let n = 1; n <= 4; n++) {
      statuses.push((await app.activate('x', from(`2001:db8:1:2:${n}::1`))).status)
    }
    expect(statuses).to.deep.equal([400, 400, 400, 429])
    expect((await app.activate('x', from('2001:db8:1:3::1'))).status).to.equal(400)
  })

  it('the bucket of a client address refills evenly', async () => {
    for (let n = 1; n <= 3; n++) await app.activate('x', from('192.0.2.5'))
    await app.age(1_195)
    expect((await app.activate('x', from('192.0.2.5'))).status).to.equal(429)
    await app.age(6)
    expect((await app.activate('x', from('192.0.2.5'))).status).to.equal(400)
    expect((await app.activate('x', from('192.0.2.5'))).status).to.equal(429)
  })

  it('replicas with concurrent requests share the bucket of a client address', async () => {
    const database = testPool(app.database.connectionString)
    const stores = [app.store, createPostgresStore(database)]
    const rate = { client: '192.0.2.6', call: 'register', size: 5, fillSeconds: 3_600 }
    const waits = await Promise.all(
      stores.flatMap((store) => Array.from({ length: 10 }, () => store.takeClientToken(rate))),
    )
    expect(waits.filter((wait) => wait === null)).to.have.length(5)
    await database.close()
  })
})
