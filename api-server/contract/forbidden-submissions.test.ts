import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { pro, useApp } from '../../testing/support/api/app.ts'
import { field } from '../checked-call.fixture.ts'
import { initUpload, runChain, runSingle, storeFile } from './the-calls.fixture.ts'
import type { Call } from './the-calls.fixture.ts'

describe('submissions that the plan does not allow', () => {
  const little = { ...pro, private: false, webhooks: false, chained: false, uploads: false }
  const plans = {
    pro,
    little,
    full: { ...pro, storageMbytes: 0 },
    spent: { ...pro, processingMbytes: 0 },
  }
  const app = useApp({ plans })
  before(async () => {
    for (const plan of ['little', 'full', 'spent']) {
      await app.addAccount(plan, plan, `key-of-${plan}`)
    }
    await app.addAccount('held', 'pro', 'key-of-held')
    await app.suspend('held')
  })

  const submit = (call: Call, change: object = {}, key = app.key) =>
    app.post(call.path, { ...call.body, ...change }, { key })

  const size = { size_bytes: 1_000 }
  for (const call of [runSingle, runChain, storeFile, initUpload]) {
    const forbidden: [string, string, object, string][] = [
      ['little', 'private files', { is_private: true }, "Plan 'little' does not include"],
      [
        'little',
        'webhooks',
        { webhook_url: 'https://app.example/' },
        "Plan 'little' does not include",
      ],
      ['full', 'a full storage', {}, 'Storage quota exceeded: 0 of 0 MB used'],
      ['spent', 'a spent month', {}, 'Processing quota exceeded: 0 of 0 MB used this month'],
      [
        'held',
        'a suspended account',
        {},
        'The account is suspended; ask the administrator to resume it',
      ],
    ]
    for (const [account, what, change, detail] of forbidden) {
      it(`${call.name} is 403 for ${what}`, async () => {
        const answer = await submit(call, { ...size, ...change }, `key-of-${account}`)
        expect(answer.status).to.equal(403)
        expect(field(answer.body, 'detail')).to.match(new RegExp(`^${detail}`))
      })
    }
  }

  for (const [call, feature] of [
    [runChain, 'chained commands'],
    [initUpload, 'uploads'],
  ] as const) {
    it(`${call.name} is 403 on a plan without`, async () => {
      expect(await submit(call, {}, 'key-of-little')).to.deep.include({
        status: 403,
        body: problemBody(403, `Plan 'little' does not include ${feature}`, 'plan_limit'),
      })
    })
  }
})
