import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { logKey, resultsPrefix } from '../../../common/domain/storage-keys.ts'
import { resultObject } from '../../../common/storage/result-object.ts'
import { commitOf, newCommand, newFile, newId } from '../../../testing/store-contract/fixtures.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { ageDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import { openTestBucket } from '../../../testing/support/object-store.ts'
import { planWith } from '../../../testing/support/plans.ts'
import { createResultKeeper } from '../../apply/result-keeper.ts'
import { createFileSweep } from '../sweep/sweep-files.ts'
import { createObjectSweep } from '../sweep/sweep-objects.ts'
import { createRetention } from './retention.ts'
import type { Failpoint } from '../../../common/runtime/effects.ts'
import type { NewCommand } from '../../../common/store/commands.ts'

export const plans = {
  short: planWith({
    retention: { recordsDays: 90, originalsDays: 30, logsDays: 40, filesDays: 30 },
  }),
  unlimited: planWith(),
}

/** The retention and the sweeps beside it, over a database and a bucket of their own. */
export async function openRetention() {
  const opened = await openTestDatabase()
  const { database } = opened
  const { query } = database
  const store = createPostgresStore(database)
  const objects = createObjectStore(await openTestBucket())
  const counted = new Map<string, number>()
  const figures = { due: 0, deletion: 0 }
  const signal = new AbortController().signal

  const depsWith = (failpoint?: Failpoint, isSlow = () => false) => ({
    store,
    storage: objects,
    plans,
    isSlow,
    term: { mustHold: () => undefined },
    effects: systemEffects(failpoint),
    logger: silentLogger,
    results: createResultKeeper({
      store,
      storage: objects,
      enabled: true,
      term: { mustHold: () => undefined },
      effects: systemEffects(),
      logger: silentLogger,
      metrics: { resultObject: () => undefined },
    }),
    metrics: {
      swept: () => undefined,
      outcomeRestored: () => undefined,
      shownOutcomeLost: () => undefined,
      sweepBacklog: () => undefined,
      deleted: (kind: string, rows: number) =>
        void counted.set(kind, (counted.get(kind) ?? 0) + rows),
      oldestDue: (seconds: number) => void (figures.due = seconds),
      oldestDeletion: (seconds: number) => void (figures.deletion = seconds),
    },
  })

  return {
    database,
    query,
    store,
    objects,
    counted,
    figures,
    age: (days: number) => ageDatabase(database, days * 86_400),
    /** One pass of the loop. */
    pass: (failpoint?: Failpoint, isSlow?: () => boolean) =>
      createRetention(depsWith(failpoint, isSlow))(signal),
    /** Sweeps that other loops of the operator do meanwhile. */
    async sweeps() {
      await createFileSweep(depsWith())(signal)
      await createObjectSweep(depsWith(), 600)(signal)
    },

    async newAccount(plan: keyof typeof plans = 'short'): Promise<string> {
      const accountId = newId()
      await store.createAccount(
        { accountId, name: `a${accountId}`, plan, email: `a${accountId}@example.com` },
        {
          keyId: newId(),
          sha256: Buffer.from(accountId.padEnd(64, '0').replaceAll('-', '0').slice(0, 64), 'hex'),
          environmentName: null,
          label: null,
        },
      )
      return accountId
    },

    /** A command with a log object and two outputs, whose resource is gone; @returns its id */
    async finished(accountId: string, change: Partial<NewCommand> = {}): Promise<string> {
      const command = { ...newCommand(accountId), metadata: { order: 7 }, ...change }
      const { commandId } = command
      const podUid = `pod-${commandId}`
      await store.insertCommands([command])
      await store.markDispatched(commandId, `uid-${commandId}`)
      await admitWaiting(store, accountId)
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid })
      const key = `public/${accountId}/${commandId}/${podUid}/o.mp4`
      const file = { ...newFile(commandId), key }
      await store.commitOutcome(commitOf(commandId, podUid, { status: 'SUCCESS', files: [file] }))
      await store.releaseQuota(commandId)
      await store.markMirrored(commandId, 1_000)
      await store.markResourceDeleted(commandId)
      await put(key)
      await put(logKey({ accountId, commandId }))
      const result = await store.findResult(commandId)
      if (result !== null) await objects.putBytes(resultObject(result))
      await store.recordLogObject(commandId, {
        key: logKey({ accountId, commandId }),
        stepBytes: [1],
      })
      return commandId
    },

    put,
    /** Keys of this account that exist in the bucket. */
    async keysOf(accountId: string): Promise<string[]> {
      const keys = await query<{ key: string }>(
        'keys',
        `select key from files where account_id = $1 and key is not null union all
         select 'private/' || $1::text || '/logs/' || command_id || '.txt' from commands where account_id = $1`,
        [accountId],
      )
      const found = await Promise.all(keys.map(({ key }) => objects.head(key)))
      return keys.map(({ key }) => key).filter((_, index) => found[index] !== null)
    },
    /** Number of result objects of this account. */
    results: async (accountId: string) => (await objects.list(resultsPrefix(accountId))).size,
    async deleteFiles(accountId: string, commandId: string) {
      await store.deleteCommandFiles(accountId, commandId)
    },
    async close() {
      objects.close()
      await opened.close()
    },
  }

  async function put(key: string): Promise<void> {
    await objects.putBytes({
      key,
      contentType: 'text/plain',
      attachment: false,
      bytes: Buffer.from('x'),
    })
  }
}

/** Crashes before or after the `at`th effect, counted from 1. */
export function crashAt(at: number, when: 'before' | 'after') {
  let met = 0
  const failpoint: Failpoint = async (_name, effect) => {
    met += 1
    const hit = met === at
    if (hit && when === 'before') throw new Crash()
    if (met > at) throw new Crash()
    const result = await effect()
    if (hit) throw new Crash()
    return result
  }
  return { failpoint, met: () => met }
}

class Crash extends Error {}
