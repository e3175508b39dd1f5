import { expect } from 'chai'
import { useStore } from '../../testing/support/database.ts'
import { tidyLimits } from './tidy-limits.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'

describe('tidyLimits', () => {
  const store = useStore()
  const effects = systemEffects()

  it('adds up usage and removes old keys without a visible change', async () => {
    const accountId = await store.newAccount()
    await store.query(
      'counted',
      `insert into usage_changes (account_id, bytes) select $1, 3 from generate_series(1, 2500)`,
      [accountId],
    )
    const claim = { accountId, fingerprint: Buffer.alloc(32), leaseSeconds: 10 }
    for (const key of ['old', 'new']) {
      await store.claimIdempotencyKey({ ...claim, key, resourceId: effects.newId() })
    }
    await store.query(
      'age_key',
      `update idempotency_keys set created_at = now() - interval '24 hours' where key = 'old'`,
    )
    const rate = { call: 'unknown-key', size: 20, fillSeconds: 60 }
    for (const client of ['full', 'empty']) await store.takeClientToken({ ...rate, client })
    await store.query(
      'age_rate',
      `update client_rates set full_at = now() - interval '1 second' where client = 'full'`,
    )
    const before = await store.readUsage(accountId)

    const stop = new AbortController()
    let left = 2
    const loop = tidyLimits({
      effects,
      logger: silentLogger,
      store: {
        foldUsage: (limit) => store.foldUsage(limit),
        recordVcpuPeaks: () => store.recordVcpuPeaks(),
        forgetClientRates: (limit) => store.forgetClientRates(limit),
        async expireIdempotencyKeys(limit) {
          const removed = await store.expireIdempotencyKeys(limit)
          if ((left -= 1) === 0) stop.abort()
          else loop.wake()
          return removed
        },
      },
    })
    await loop.run(stop.signal)

    expect(await store.readUsage(accountId)).to.deep.equal(before)
    const [rows] = await store.query(
      'rows',
      `select (select string_agg(client, ',') from client_rates) as clients,
         (select count(*) from usage_changes) as changes,
         (select string_agg(key, ',') from idempotency_keys) as keys`,
    )
    expect(rows).to.deep.equal({ clients: 'empty', changes: 0, keys: 'new' })
  })
})
