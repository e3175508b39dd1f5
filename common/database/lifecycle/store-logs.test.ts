import { expect } from 'chai'
import { useStore } from '../../../testing/support/database.ts'
import { newCommand, newId, progressOf } from '../../../testing/store-contract/fixtures.ts'
import { logBytesPerStep } from './store-logs.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'

describe('storing messages of FFmpeg', () => {
  const store = useStore()

  const running = async () => {
    const accountId = await store.newAccount('pro')
    const command = newCommand(accountId)
    await store.importCommand({ ...command, resourceUid: newId() })
    await admitWaiting(store, accountId)
    const { commandId } = command
    const podUid = newId()
    await store.claimAttempt({ commandId, jobGeneration: 1, podUid })
    return {
      commandId,
      report: (sequence: number, text: string) =>
        store.storeProgress({
          ...progressOf(commandId, podUid),
          logs: [{ step: 0, sequence, text }],
        }),
    }
  }
  const kept = (commandId: string) =>
    store.query<{ sequence: number; text: string; bytes: number }>(
      'kept',
      `select sequence, text, bytes from command_logs
       where command_id = $1 and cut_bytes = 0 order by sequence`,
      [commandId],
    )

  it('stores a chunk once, however often it is reported', async () => {
    const { commandId, report } = await running()
    await report(0, 'first')
    await report(0, 'again')
    await report(1, 'bad \0 byte')
    expect((await kept(commandId)).map(({ text }) => text)).to.deep.equal([
      'first',
      'bad \uFFFD byte',
    ])
  })

  it('removes the middle of a step with too long a log, and keeps both ends', async () => {
    const { commandId, report } = await running()
    const chunk = 'x'.repeat(100_000)
    for (let sequence = 0; sequence < 30; sequence += 1) await report(sequence, chunk)
    const chunks = await kept(commandId)
    const bytes = chunks.reduce((sum, each) => sum + each.bytes, 0)
    expect(bytes).to.be.within(logBytesPerStep / 2, logBytesPerStep + chunk.length)
    expect(chunks[0]?.sequence).to.equal(0)
    expect(chunks.at(-1)?.sequence).to.equal(29)
    expect(chunks.length).to.be.lessThan(15)
  })

  it('drops chunks above 4 MiB of a step, those included that were cut again', async () => {
    const { commandId, report } = await running()
    const chunk = 'x'.repeat(250_000)
    for (let sequence = 0; sequence < 20; sequence += 1) await report(sequence, chunk)
    const [stored] = await store.query<{ rows: string; last: number }>(
      'all_rows',
      'select count(*) as rows, max(sequence) as last from command_logs where command_id = $1',
      [commandId],
    )
    expect([Number(stored?.rows), stored?.last]).to.deep.equal([16, 15])
    // A smaller one has room.
    await report(20, 'y')
    expect((await kept(commandId)).at(-1)?.text).to.equal('y')
  })

  it('records what was removed, so that a repeated report does not restore it', async () => {
    const { commandId, report } = await running()
    const chunk = 'x'.repeat(300_000)
    for (let sequence = 0; sequence < 6; sequence += 1) await report(sequence, chunk)
    const before = await store.readLogs(commandId, null)
    const cut = before.chunks.filter(({ cutBytes }) => cutBytes > 0)
    expect(cut.map(({ cutBytes, text }) => [cutBytes, text])).to.deep.equal(
      cut.map(() => [300_000, '']),
    )
    expect(cut.length).to.be.within(2, 4)
    for (const { sequence } of cut) await report(sequence, chunk)
    expect(await store.readLogs(commandId, null)).to.deep.equal(before)
  })
})
