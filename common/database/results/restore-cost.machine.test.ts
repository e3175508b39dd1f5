import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { commitOf, newCommand, newFile, newId } from '../../../testing/store-contract/fixtures.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { openMovingDatabase, useStore } from '../../../testing/support/database.ts'
import { rowsReadBy } from '../../../testing/support/rows/rows-read.ts'
import { recordedResults } from './recorded-results.ts'

const rows = scaled({ smoke: 20_000, full: 100_000 })
/** The command, its account, its attempt and its one file, each also where a trigger's condition looks. */
const mostRows = 12

describe('the statements about results', () => {
  const store = useStore(openMovingDatabase)

  it(`the statements about results read the rows of one command among ${rows} that have ended`, async () => {
    const accountId = await store.newAccount()
    await store.fill(
      `with made as (
         insert into commands (command_id, account_id, command_type, vcpu_count, max_run_seconds,
           is_private, source, original_request, steps, status, progress_percent, attempt, attempts,
           round, admitted_at, started_at, finished_at, released_at)
         select gen_random_uuid(), $1, 'FFMPEG_COMMAND', 2, 60, false, '{}', '{}', '[]',
           'SUCCESS', 100, 'pod', 1, 1, now(), now(), now(), now()
         from generate_series(1, ${rows}) returning command_id
       ), claimed as (
         insert into attempts (command_id, attempt, round) select command_id, 'pod', 1 from made
       )
       insert into files (file_id, command_id, account_id, is_private, position, alias, key,
         size_bytes, media)
       select gen_random_uuid(), command_id, $1, false, 1, 'out_1', 'k/' || command_id, 1, '{}' from made`,
      [accountId],
    )
    await store.fill('vacuum analyze')
    const command = newCommand(accountId)
    const { commandId } = command
    await store.insertCommands([command])
    await store.markDispatched(commandId, newId())
    await admitWaiting(store, accountId, { vcpuLimit: null, passSeconds: 300 })
    await store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'pod-1' })
    const { steps } = commitOf(commandId, 'pod-1')
    const shown = {
      commandId,
      attempt: 'pod-1',
      jobGeneration: 1,
      attempts: 1,
      steps: steps ?? [],
      startedAt: null,
      finishedAt: null,
      ffmpegRunSeconds: 1,
      processingBytes: 1,
      outcome: { status: 'SUCCESS', files: [newFile(commandId)] },
    } as const
    const read = {
      restore: await rowsReadBy(store.database, (explaining) =>
        recordedResults(explaining).restoreOutcome(shown),
      ),
      find: await rowsReadBy(store.database, (explaining) =>
        recordedResults(explaining).findResult(commandId),
      ),
    }
    for (const [statement, count] of Object.entries(read)) {
      expect(count, statement).to.be.at.most(mostRows)
    }
  })
})
