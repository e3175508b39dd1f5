import { expect } from 'chai'
import { pro, useApp } from '../../testing/support/api/app.ts'
import { field } from '../checked-call.fixture.ts'
import type { Pause } from '../../common/store/administration/pauses.ts'
import { admitWaiting } from '../../testing/support/admit-waiting.ts'

describe('GET /v1/usage', () => {
  const small = {
    ...pro,
    processingMbytes: 50,
    storageMbytes: 5,
    vcpuPerCommand: 4,
    vcpuTotal: 4,
    maxFileMbytes: 1,
    submissionsPerMinute: 4,
    readsPerMinute: 600,
    maxQueued: 9,
    chained: false,
  }
  const app = useApp({ plans: { pro, small } })

  it('returns usage and limits', async () => {
    const { accountId } = await app.addAccount('small', 'small', 'key-of-small')
    const key = 'key-of-small'
    const commandId = await app.submit({}, { key })
    for (let count = 0; count < 2; count++) await app.submit({}, { key })
    await app.store.markDispatched(commandId, 'uid')
    await admitWaiting(app.store, accountId, { vcpuLimit: 4 })
    await app.store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'pod-1' })
    const { status, body } = await app.call('/v1/usage', { key })
    expect(status).to.equal(200)
    expect(body).to.deep.include({
      account_id: accountId,
      account: 'small',
      pauses: [],
      plan: 'small',
      processing: { used_mbytes: 0, reserved_mbytes: 3, limit_mbytes: 50 },
      storage: { used_mbytes: 0, reserved_mbytes: 3, limit_mbytes: 5 },
      vcpu: { in_use: 4, limit: 4, per_command: 4 },
      commands: { queued: 2, running: 1 },
      queue: { queued: 2, limit: 9 },
      rate: { submissions_per_minute: 4, submissions_left: 1 },
      limits: { max_command_run_seconds: 3_600, max_file_mbytes: 1 },
      features: { chained: false, uploads: true, private: true, webhooks: true },
      default_output_ttl_seconds: null,
    })
    expect(field(body, 'period_start')).to.match(/^\d{4}-\d\d-01T00:00:00\.000000Z$/)
  })

  it('returns null limits for a plan without limits', async () => {
    const { body } = await app.call('/v1/usage')
    expect(body).to.deep.include({
      processing: { used_mbytes: 0, reserved_mbytes: 0, limit_mbytes: null },
      queue: { queued: 0, limit: null },
      rate: { submissions_per_minute: null, submissions_left: null },
    })
  })

  describe('while something is paused', () => {
    const pausedAt = new Date('2026-05-19T18:15:20Z')
    const pause = (what: Pause['what'], accountId: string | null = null): Pause => ({
      what,
      accountId,
      why: 'nodes are replaced',
      pausedAt,
    })
    const paused = useApp({
      pauses: {
        current: () => [
          pause('admission'),
          pause('account', '0197a0c2-0000-7000-8000-000000000001'),
        ],
      },
    })

    it('names the pauses that the account meets, and so does the record of a queued command', async () => {
      expect(await paused.record('/v1/usage')).to.deep.include({
        pauses: [
          {
            what: 'admission',
            why: 'nodes are replaced',
            paused_at: '2026-05-19T18:15:20.000000Z',
          },
        ],
      })
      const shown = { queue_reason: 'PAUSED', queue_message: 'nodes are replaced' }
      const id = await paused.submit()
      expect(await paused.record(`/v1/commands/${id}`)).to.deep.include(shown)
      expect((await paused.list('/v1/commands?expand=progress'))[0]).to.deep.include(shown)
    })
  })
})
