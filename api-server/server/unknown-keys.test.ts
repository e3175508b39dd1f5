import { expect } from 'chai'
import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import { startTestApp, useApp } from '../../testing/support/api/app.ts'
import type { Store } from '../../common/store/store.ts'

describe('unknown keys', () => {
  const first = useApp()

  /** Another replica with a clock of its own, and the statements that its keys cost. */
  async function replica() {
    let ms = 0
    const clock = { ...systemClock, monotonicMs: () => ms }
    const effects = { ...systemEffects(), clock }
    const statements = { findKey: 0, takeClientToken: 0 }
    const findKey: Store['findKey'] = (hash) => {
      statements.findKey += 1
      return first.store.findKey(hash)
    }
    const takeClientToken: Store['takeClientToken'] = (rate) => {
      statements.takeClientToken += 1
      return first.store.takeClientToken(rate)
    }
    const store = { ...first.store, findKey, takeClientToken }
    const app = await startTestApp({ effects, store, trustedProxies: 1 }, first)
    const send = (key: string, client: string) =>
      app.call('/v1/commands', { key, headers: { 'X-Forwarded-For': client } })
    const statusOf = async (key: string, client: string) => (await send(key, client)).status
    const pass = (by: number) => {
      ms += by
      return first.age(by / 1_000)
    }
    return { app, statements, send, statusOf, pass }
  }

  it('unknown keys are answered 401 twenty times a minute and client, and then 429 for one read each', async () => {
    const { app, statements, send, statusOf, pass } = await replica()
    const client = '192.0.2.1'
    for (let miss = 0; miss < 20; miss += 1) {
      expect(await statusOf(`unknown-${miss}`, client)).to.equal(401)
    }
    expect(statements).to.deep.equal({ findKey: 20, takeClientToken: 20 })
    for (let miss = 20; miss < 120; miss += 1) {
      expect(await statusOf(`unknown-${miss}`, client)).to.equal(429)
    }
    expect(statements).to.deep.equal({ findKey: 120, takeClientToken: 20 })
    const { headers, body } = await send('unknown-more', client)
    const seconds = headers.get('retry-after')
    expect(seconds).to.equal('3')
    expect(body).to.include({
      code: 'rate_limited',
      detail: `Too many unknown keys from this address: 20 a minute; check the key in the X-API-KEY header and retry in 3 s`,
    })
    expect(await statusOf('unknown-elsewhere', '192.0.2.2')).to.equal(401)
    await pass(3_000)
    expect(await statusOf('unknown-later', client)).to.equal(401)
    const text = await app.registry.metrics()
    expect(text).to.match(/unknown_keys_total\{how="refused"\} 101/)
    await app.close()
  })

  it('remembers unknown keys for a minute', async () => {
    const { app, statements, statusOf, pass } = await replica()
    for (let count = 0; count < 50; count += 1) {
      expect(await statusOf('the-same-key', '192.0.2.3')).to.equal(401)
    }
    expect(statements.findKey).to.equal(1)
    await pass(60_000)
    expect(await statusOf('the-same-key', '192.0.2.3')).to.equal(401)
    expect(statements.findKey).to.equal(2)
    await app.close()
  })

  it('unknown keys never reach the database when they are malformed', async () => {
    const { app, statements, send } = await replica()
    for (const key of ['short', 'x'.repeat(257), 'with a blank', 'größer-als', 'a\tb-cdefgh']) {
      const { status, body } = await send(key, '192.0.2.4')
      expect(status, key).to.equal(401)
      expect(JSON.stringify(body)).to.match(/Invalid authorization key: a key has 8 to 256/)
    }
    expect(statements).to.deep.equal({ findKey: 0, takeClientToken: 0 })
    await app.close()
  })

  it('counts unknown keys of one replica at another', async () => {
    const [one, two] = [await replica(), await replica()]
    for (let miss = 0; miss < 20; miss += 1) {
      expect(await one.statusOf(`shared-${miss}`, '192.0.2.5')).to.equal(401)
    }
    await two.statusOf('shared-20', '192.0.2.5')
    expect(await two.statusOf('shared-21', '192.0.2.5')).to.equal(429)
    await Promise.all([one.app.close(), two.app.close()])
  })

  it('accepts valid keys of a client with unknown ones when they come in a burst or were in use', async () => {
    const { app, statusOf, pass } = await replica()
    const keys = Array.from({ length: 40 }, (_, index) => `key-of-burst-${index}`)
    await Promise.all(keys.map((key) => app.addAccount(key, 'pro', key)))
    const client = '192.0.2.6'
    const statuses = await Promise.all(keys.map((key) => statusOf(key, client)))
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    for (let miss = 0; miss < 20; miss += 1) await statusOf(`guessed-${miss}`, client)
    expect(await statusOf('guessed-20', client)).to.equal(429)
    expect(await statusOf('key-of-burst-0', client)).to.equal(200)
    // The cached key is stale after 5 s, in which the bucket gets a token or two.
    await pass(5_500)
    for (const key of ['guessed-21', 'guessed-22', 'guessed-23']) await statusOf(key, client)
    expect(await statusOf('guessed-24', client)).to.equal(429)
    expect(await statusOf('key-of-burst-0', client)).to.equal(200)
    await app.close()
  })

  it('unknown keys are counted exactly when they come at the same time', async () => {
    const { app, statements, statusOf } = await replica()
    const keys = Array.from({ length: 100 }, (_, index) => `at-once-${index}`)
    const statuses = await Promise.all(keys.map((key) => statusOf(key, '192.0.2.7')))
    expect(statuses.filter((status) => status === 401).length).to.equal(20)
    expect(statements.takeClientToken).to.equal(20)
    await app.close()
  })

  it('unknown keys do not keep out a valid key that this replica has never seen', async () => {
    const { app, statusOf } = await replica()
    const client = '192.0.2.8'
    for (let miss = 0; miss < 20; miss += 1) await statusOf(`mistaken-${miss}`, client)
    expect(await statusOf('mistaken-20', client)).to.equal(429)
    await app.addAccount('behind-nat', 'pro', 'key-behind-nat')
    expect(await statusOf('key-behind-nat', client)).to.equal(200)
    await app.close()
  })
})
