import { expect } from 'chai'
import { commitOf, failed, newCommand } from '../../../testing/store-contract/fixtures.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { useStore } from '../../../testing/support/database.ts'
import { unobserved } from '../../store/lifecycle/observer.ts'
import { commitOutcome } from './commit-outcome.ts'

describe('the end of commands above a quota', () => {
  const store = useStore()
  const usedUp = { processingMbytes: 0, storageMbytes: null }

  it('the end of commands above a quota does not deadlock with a cancellation of one of them', async () => {
    const accountId = await store.newAccount()
    const commands = [newCommand(accountId), newCommand(accountId)]
    await store.insertCommands(commands)
    for (const { commandId } of commands) await store.markDispatched(commandId, `uid-${commandId}`)
    const [first = '', second = ''] = commands.map(({ commandId }) => commandId).toSorted()

    let admission: ReturnType<typeof admitWaiting> | undefined
    await store.database.transaction(async (query) => {
      await query('lock', 'select from commands where command_id = $1 for update', [second])
      admission = admitWaiting(store, accountId, { quota: usedUp })
      admission.catch(() => undefined)
      await isWaitedFor(query)
      const cancelled = await commitOutcome(
        query,
        commitOf(second, null, failed('CANCELLED')),
        unobserved,
      )
      expect(cancelled.kind).to.equal('committed')
    })
    expect(await admission)
      .to.include({ waiting: 0 })
      .and.deep.include({ admitted: [], ended: [first] })
  })

  /** Resolves when another session waits for a lock of this one. */
  async function isWaitedFor(query: typeof store.query): Promise<void> {
    const [own] = await query<{ pid: number }>('pid', 'select pg_backend_pid() as pid')
    for (let waiting = 0; waiting === 0;) {
      // Outside of the transaction, which would read the same activity again.
      const found = await store.query(
        'waiting',
        'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
        [own?.pid],
      )
      waiting = found.length
    }
  }
})
