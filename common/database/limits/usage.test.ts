import { expect } from 'chai'
import fc from 'fast-check'
import {
  commitOf,
  failed,
  newCommand,
  newFile,
  newId,
} from '../../../testing/store-contract/fixtures.ts'
import { useStore } from '../../../testing/support/database.ts'
import { usage, usageSql } from './usage.ts'
import { rowsRead } from '../../../testing/support/rows/rows-read.ts'
import type { TestStore } from '../../../testing/support/database.ts'
import type { Database } from '../connection/query.ts'

describe('usage', () => {
  const store = useStore()

  it('the usage equals the sums over all rows after any history, with concurrent aggregation', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 8 }), { maxLength: 6 }),
        async (streams) => {
          const accountId = await store.newAccount()
          // Each stream works on files of its own and, beside the others, on some that all share.
          const shared = [await storedFile(store, accountId), await storedFile(store, accountId)]
          await Promise.all(
            streams.map(async (changes) => {
              const own = await storedFile(store, accountId)
              for (const one of changes) {
                await apply(one, { store, accountId, files: [own, ...shared] })
              }
            }),
          )
          const { storedBytes, processingBytes } = await store.readUsage(accountId)
          expect({ storedBytes, processingBytes }).to.deep.equal(await summed(store, accountId))
          while ((await store.foldUsage(100)) > 0);
          expect(await store.readUsage(accountId)).to.deep.include({ storedBytes, processingBytes })
        },
      ),
      { numRuns: 40 },
    )
  })

  it('counts reservations as the sum over commands without an end, with concurrent folds', async () => {
    const accountId = await store.newAccount()
    const mostReservedBytes = 20_000_000
    const batch = () =>
      Array.from({ length: 10 }, () => ({ ...newCommand(accountId), mostReservedBytes }))
    await Promise.all(
      [batch(), batch(), batch()].map(async (commands, index) => {
        await store.insertCommands(commands)
        await store.insertCommands(commands)
        const [ended, gone] = commands
        await store.foldUsage(5)
        if (ended === undefined || gone === undefined) return
        await store.commitOutcome(commitOf(ended.commandId, null, failed('CANCELLED')))
        if (index > 0) return
        await store.query('remove_one', 'delete from commands where command_id = $1', [
          gone.commandId,
        ])
      }),
    )
    const expected = 26 * 16 * 1_048_576
    const read = async () => (await store.readUsage(accountId)).reservedBytes
    expect(await read()).to.equal(expected)
    while ((await store.foldUsage(100)) > 0);
    expect(await read()).to.equal(expected)
  })

  it('reads the figures of an account by its keys, beside 100,000 changes of others', async () => {
    const accountId = await store.newAccount()
    const others = await store.newAccount()
    await store.fill(
      `with used as (
         insert into usage_changes (account_id, bytes) select $1, 1 from generate_series(1, 100000)
       )
       insert into reservation_changes (account_id, bytes, output_bytes)
       select $1, 1, 1 from generate_series(1, 100000)`,
      [others],
    )
    await store.fill('vacuum analyze usage_changes, reservation_changes')
    const sql = usageSql.replaceAll('$1', `'${accountId}'`)
    expect(await rowsRead(store.database, sql)).to.be.below(10)
  })

  it('charges a command that has processed more than 2 GiB', async () => {
    const accountId = await store.newAccount()
    const command = newCommand(accountId)
    await store.insertCommands([command])
    const usage = { inputBytes: 4e9, outputBytes: 0, ffmpegStarted: true, ffmpegRunSeconds: 1 }
    const commit = commitOf(command.commandId, null, failed('FFMPEG_FAILED'))
    await store.commitOutcome({ ...commit, usage })
    expect((await store.readUsage(accountId)).processingBytes).to.equal(4e9)
  })

  it('charges the month in which a command ended', async () => {
    const accountId = await store.newAccount()
    const run = async () => {
      const command = newCommand(accountId)
      await store.insertCommands([command])
      await store.commitOutcome(commitOf(command.commandId, null, failed('FFMPEG_FAILED')))
    }
    await run()
    const { monthStart, monthEnd, processingBytes } = await store.readUsage(accountId)
    expect(processingBytes).to.equal(1_000)
    expect(monthStart.toISOString()).to.match(/-01T00:00:00\.0+Z$/)
    expect(monthEnd.getUTCMonth()).to.equal((monthStart.getUTCMonth() + 1) % 12)
    await store.query(
      'last_month',
      `update usage_changes set month = month - interval '1 month' where account_id = $1`,
      [accountId],
    )
    expect((await usage(store.database).readUsage(accountId)).processingBytes).to.equal(0)
    await run()
    expect((await store.readUsage(accountId)).processingBytes).to.equal(1_000)
  })

  it('the usage of an account does not include other accounts', async () => {
    await storedFile(store, await store.newAccount())
    expect(await store.readUsage(await store.newAccount())).to.deep.include({
      storedBytes: 0,
      processingBytes: 0,
    })
  })
})

interface World {
  readonly store: TestStore
  readonly accountId: string
  readonly files: readonly string[]
}

const change = fc.oneof(
  fc.record({
    kind: fc.constant('run' as const),
    sizes: fc.array(fc.record({ size: bytes(), zip: fc.option(bytes()) }), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('fail' as const) }),
  fc.record({ kind: fc.constant('fold' as const) }),
  fc.record({
    kind: fc.constantFrom('delete', 'fail-file', 'store', 'open', 'close', 'remove'),
    file: fc.nat(2),
    size: bytes(),
  }),
)

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function bytes() {
  return fc.integer({ min: 1, max: 1_000_000 })
}

async function apply(one: Change, { store, accountId, files }: World) {
  if (one.kind === 'fold') {
    await store.foldUsage(3)
    return
  }
  if (one.kind === 'run' || one.kind === 'fail') {
    const command = newCommand(accountId)
    const { commandId } = command
    await store.insertCommands([command])
    const outcome =
      one.kind === 'fail'
        ? failed('FFMPEG_FAILED')
        : {
            status: 'SUCCESS' as const,
            files: one.sizes.map(({ size, zip }, index) => ({
              ...newFile(commandId, `${index}.mp4`),
              sizeBytes: size,
              compressedBytes: zip,
            })),
          }
    await store.query(
      'attempt',
      `update commands set attempt = 'pod', admitted_at = now(), round = 1,
      attempts = 1, started_at = now() where command_id = $1`,
      [commandId],
    )
    await store.commitOutcome(commitOf(commandId, 'pod', outcome))
    return
  }
  if (!('file' in one)) return
  await store.query(one.kind, fileChanges[one.kind] ?? '', [files[one.file], one.size])
}

/** Changes of files as the statements of other folders make them, in any order and number. */
const fileChanges: Readonly<Record<string, string>> = {
  delete: `update files set deleted_at = now()
    where file_id = $1 and $2::bigint > 0 and deleted_at is null`,
  'fail-file': `update files set status = 'FAILED', error_status = 'CANCELLED', error_message = 'x'
    where file_id = $1 and $2::bigint > 0 and status = 'UPLOADED' and deleted_at is null`,
  store: `update files set status = 'STORED', size_bytes = $2::bigint
    where file_id = $1 and status = 'UPLOADED' and deleted_at is null`,
  open: `insert into upload_sessions (file_id, upload_id, key, size_bytes, part_bytes, expires_at)
    select file_id, 'u', 'k', $2::bigint, 5, now()
    from (select file_id from files where file_id = $1 for key share) as f
    on conflict do nothing`,
  close: `delete from upload_sessions where file_id = $1 and $2::bigint > 0`,
  remove: `delete from files where file_id = $1 and $2::bigint > 0`,
}

async function storedFile({ query }: Pick<Database, 'query'>, accountId: string): Promise<string> {
  const fileId = newId()
  await query(
    'stored_file',
    `insert into files (file_id, account_id, store_type, status, key, size_bytes, is_private)
     values ($1, $2, 'STORED_FILE', 'UPLOADED', $3, 5000, false)`,
    [fileId, accountId, `public/${fileId}`],
  )
  return fileId
}

async function summed({ query }: Pick<Database, 'query'>, accountId: string) {
  const [row] = await query(
    'summed',
    `select (
       select coalesce(sum(coalesce(compressed_bytes, size_bytes)), 0)::bigint from files
       where account_id = $1 and deleted_at is null and status in ('UPLOADED', 'STORED')
     ) + (
       select coalesce(sum(size_bytes), 0)::bigint from upload_sessions where account_id = $1
     ) as "storedBytes", (
       select coalesce(sum(processing_bytes), 0)::bigint from commands where account_id = $1
     ) as "processingBytes"`,
    [accountId],
  )
  return row
}
