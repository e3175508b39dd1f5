import { expect } from 'chai'
import { commitOf, failed, newCommand } from '../../../testing/store-contract/fixtures.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { useStore } from '../../../testing/support/database.ts'
import { quotaProblem } from '../../domain/quota.ts'

const mbyte = 1_048_576
const quota = { processingMbytes: 10_000, storageMbytes: null }

describe('an account at 99 % of its quota', () => {
  const store = useStore()

  for (const [bytesOfEach, mostOver] of [
    [10, 10],
    [64, 64],
  ] as const) {
    it(`an account at 99 % exceeds its quota by ${mostOver} MB at most with 1,000 submissions of ${bytesOfEach} MB at once`, async () => {
      const accountId = await store.newAccount()
      await run([await submit(accountId)], 9_900)
      const submitted = await Promise.all(Array.from({ length: 1_000 }, () => submit(accountId)))
      const accepted = submitted.filter((id) => id !== null).length
      let ran = 0
      let ended = 0
      for (;;) {
        const { admitted, ended: refused = [] } = await admitWaiting(store, accountId, {
          quota,
          jobLimit: 20,
        })
        ended += refused.length
        if (admitted.length === 0 && refused.length === 0) break
        await run(admitted, bytesOfEach)
        ran += admitted.length
      }
      const { processingBytes, reservedBytes } = await store.readUsage(accountId)
      const over = processingBytes / mbyte - quota.processingMbytes
      expect(ran + ended).to.equal(accepted)
      expect(reservedBytes).to.equal(0)
      expect(over).to.be.within(0, mostOver)
      const before = 1_000 * bytesOfEach - 100
      console.log(
        `      ${accepted} accepted, ${ran} ran, ${ended} ended as QUOTA_EXCEEDED: ${over} MB above the quota; without reservations ${before} MB`,
      )
    })
  }

  /** Submits like the API: the check, then the row. null = refused. */
  async function submit(accountId: string): Promise<string | null> {
    if (quotaProblem(await store.readUsage(accountId), quota) !== null) return null
    const command = { ...newCommand(accountId), vcpuCount: 1, mostReservedBytes: 1_024 * mbyte }
    await store.insertCommands([command])
    await store.markDispatched(command.commandId, `uid-${command.commandId}`)
    return command.commandId
  }

  async function run(ids: readonly (string | null)[], mbytes: number) {
    for (const commandId of ids) {
      if (commandId === null) continue
      const podUid = `pod-${commandId}`
      await store.query(
        'admit_by_hand',
        'update commands set admitted_at = coalesce(admitted_at, now()), round = 1 where command_id = $1',
        [commandId],
      )
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid })
      const usage = { inputBytes: mbytes * mbyte, outputBytes: 0, ffmpegStarted: true }
      const commit = commitOf(commandId, podUid, failed('FFMPEG_FAILED'))
      await store.commitOutcome({ ...commit, usage: { ...usage, ffmpegRunSeconds: 1 } })
      await store.releaseQuota(commandId)
    }
  }
})
