import { expect } from 'chai'
import fc from 'fast-check'
import {
  commitOf,
  failed,
  newCommand,
  newFile,
  newId,
} from '../../../testing/store-contract/fixtures.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { useStore } from '../../../testing/support/database.ts'
import type { UsageHour } from '../../store/limits.ts'

const hourMs = 3_600_000

describe('the history of usage', () => {
  const store = useStore()

  const read = async (accountId: string) => {
    const [{ now } = { now: new Date(0) }] = await store.query<{ now: Date }>('now', 'select now()')
    const from = new Date(Math.floor(now.getTime() / hourMs) * hourMs - hourMs)
    return store.readUsageHistory({ accountId, from, to: new Date(from.getTime() + 3 * hourMs) })
  }
  const run = async (accountId: string, end: 'SUCCESS' | 'FFMPEG_FAILED' | 'CANCELLED') => {
    const command = newCommand(accountId)
    const { commandId } = command
    await store.insertCommands([command])
    if (end === 'CANCELLED') {
      await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
      return
    }
    await store.markDispatched(commandId, newId())
    await admitWaiting(store, accountId, { vcpuLimit: null, passSeconds: 300 })
    const pod = newId()
    await store.claimAttempt({ commandId, jobGeneration: 1, podUid: pod })
    const outcome =
      end === 'SUCCESS'
        ? { status: 'SUCCESS' as const, files: [newFile(commandId)] }
        : failed('FFMPEG_FAILED')
    await store.commitOutcome(commitOf(commandId, pod, outcome))
    // A second report must not count again.
    await store.commitOutcome(commitOf(commandId, pod, outcome))
  }

  it('the history of usage equals the sums over all commands after any ends, with concurrent folds', async () => {
    const ends = fc.array(
      fc.constantFrom('SUCCESS' as const, 'FFMPEG_FAILED' as const, 'CANCELLED' as const),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(ends, { maxLength: 4 }), async (streams) => {
        const accountId = await store.newAccount()
        await Promise.all(
          streams.map(async (stream) => {
            for (const end of stream) {
              await run(accountId, end)
              await store.foldUsage(2)
            }
          }),
        )
        const [expected] = await store.query('sums', sumsOfCommands, [accountId])
        expect(totals((await read(accountId)).hours)).to.deep.equal(expected)
        while ((await store.foldUsage(100)) > 0);
        expect(totals((await read(accountId)).hours)).to.deep.equal(expected)
      }),
      { numRuns: 15, includeErrorInReport: true },
    )
  })

  it('names the errors of failed commands and the classes of waits', async () => {
    const accountId = await store.newAccount()
    for (const end of ['FFMPEG_FAILED', 'SUCCESS', 'FFMPEG_FAILED'] as const) {
      await run(accountId, end)
      while ((await store.foldUsage(100)) > 0);
    }
    const [hour] = (await read(accountId)).hours
    expect(hour?.errors).to.deep.equal({ FFMPEG_FAILED: 2 })
    expect(numberOf(hour?.waits ?? {})).to.equal(3)
    const classes = await store.query<{ class: string }>(
      'classes',
      `select wait_class(seconds) as class from unnest(array[0, 1, 2, 60, 4000]::double precision[]) seconds`,
    )
    expect(classes.map((row) => Number(row.class))).to.deep.equal([-53, 0, 8, 47, 96])
  })

  it('records the most vCPUs that were held at a time, and what is held in the next hour', async () => {
    const accountId = await store.newAccount()
    const held = Array.from({ length: 3 }, () => ({ ...newCommand(accountId), vcpuCount: 2 }))
    await store.insertCommands(held)
    for (const { commandId } of held) await store.markDispatched(commandId, newId())
    await admitWaiting(store, accountId, { vcpuLimit: 4, passSeconds: 300 })
    expect((await read(accountId)).hours.map((hour) => hour.peakVcpus)).to.deep.equal([4])
    await store.query('forget', 'delete from usage_hours where account_id = $1', [accountId])
    await store.recordVcpuPeaks()
    await store.recordVcpuPeaks()
    expect((await read(accountId)).hours.map((hour) => hour.peakVcpus)).to.deep.equal([4])
  })

  it('shows the stored bytes of each hour in which they changed', async () => {
    const accountId = await store.newAccount()
    expect(await read(accountId)).to.deep.equal({
      hours: [],
      storedBytesBefore: 0,
      storedBytesNow: 0,
    })
    await run(accountId, 'SUCCESS')
    while ((await store.foldUsage(100)) > 0);
    const { storedBytes } = await store.readUsage(accountId)
    expect(storedBytes).to.be.greaterThan(0)
    const { hours, ...stored } = await read(accountId)
    expect(hours.at(-1)?.storedBytes).to.equal(storedBytes)
    expect(stored).to.deep.equal({ storedBytesBefore: null, storedBytesNow: storedBytes })
    await store.query(
      'age',
      `update usage_hours set hour = hour - interval '1 day' where account_id = $1`,
      [accountId],
    )
    expect((await read(accountId)).storedBytesBefore).to.equal(storedBytes)
  })

  it('adds up ends of an account that an older program has deleted, without an hour', async () => {
    await store.query(
      'orphan',
      `insert into usage_ends (account_id, ended_at, processing_bytes, vcpu_seconds, ffmpeg_seconds)
       values ($1, now(), 1, 1, 1)`,
      [newId()],
    )
    while ((await store.foldUsage(100)) > 0);
    expect(await store.query('left', 'select from usage_ends')).to.deep.equal([])
  })

  it('deletes the history of usage after 400 days', async () => {
    const accountId = await store.newAccount()
    await store.query(
      'hours',
      `insert into usage_hours (account_id, hour)
       select $1, now() - make_interval(days => age) from unnest(array[399, 401]) age`,
      [accountId],
    )
    await store.removeOldUsage(accountId)
    const left = await store.query<{ days: number }>(
      'left_hours',
      `select extract(day from now() - hour)::integer as days from usage_hours
       where account_id = $1`,
      [accountId],
    )
    expect(left).to.deep.equal([{ days: 399 }])
  })
})

const sumsOfCommands = `
  select count(*) filter (where status = 'SUCCESS')::integer as succeeded,
    count(*) filter (where status = 'FAILED' and error_status <> 'CANCELLED')::integer as failed,
    count(*) filter (where error_status = 'CANCELLED')::integer as cancelled,
    count(started_at)::integer as waits,
    coalesce(sum(processing_bytes), 0)::integer as "processingBytes",
    coalesce(round(1000 * sum(ffmpeg_run_seconds)), 0)::integer as "ffmpegMs",
    coalesce(round(1000000 * sum(vcpu_count * extract(epoch from finished_at - started_at))), 0)::integer
      as "vcpuMicroseconds"
  from commands where account_id = $1 and finished_at is not null`

function totals(hours: readonly UsageHour[]) {
  const sum = (of: (hour: UsageHour) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0)
  return {
    succeeded: sum((hour) => hour.succeeded),
    failed: sum((hour) => hour.failed),
    cancelled: sum((hour) => hour.cancelled),
    waits: sum((hour) => numberOf(hour.waits)),
    processingBytes: sum((hour) => hour.processingBytes),
    ffmpegMs: Math.round(1_000 * sum((hour) => hour.ffmpegSeconds)),
    vcpuMicroseconds: Math.round(1e6 * sum((hour) => hour.vcpuSeconds)),
  }
}

function numberOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
