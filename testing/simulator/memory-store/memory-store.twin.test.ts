import { tickingClock } from '../../support/virtual-clock.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import {
  commitOf,
  failed,
  lossOf,
  newCommand,
  newFile,
  newId,
  progressOf,
} from '../../store-contract/fixtures.ts'
import { admitWaiting } from '../../support/admit-waiting.ts'
import { openTestDatabase } from '../../support/database.ts'
import { priorities } from '../../../common/domain/priority.ts'
import type { TestDatabase } from '../../support/database.ts'
import type { ShownOutcome } from '../../../common/store/attempts.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'
import { pausable } from '../../../common/store/administration/pauses.ts'
import type { PauseTarget } from '../../../common/store/administration/pauses.ts'
import { createMemoryStore } from './memory-store.ts'

describe('the simulator beside Postgres', () => {
  let opened: TestDatabase
  before(async () => {
    opened = await openTestDatabase()
  })
  after(() => opened.close())

  it('gives the same answers to any sequence of calls', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      async (steps) => {
        await opened.database.query('clear', 'truncate accounts cascade')
        const postgres = createPostgresStore(opened.database)
        const memory = createMemoryStore({ clock: tickingClock() })
        const world = newWorld()
        for (const account of world.accounts) {
          await Promise.all([postgres.ensureAccount(account), memory.ensureAccount(account)])
        }
        for (const { call, command, pod } of steps) {
          const at = { world, command, pod }
          const expected = comparable(await settled(calls[call](postgres, at)))
          const answer = comparable(await settled(calls[call](memory, at)))
          expect(answer, call).to.deep.equal(expected)
          const commandId = world.commands[command]?.commandId ?? ''
          const rows = [postgres, memory].map((store) => store.findForReconcile(commandId))
          const [real, twin] = await Promise.all(rows)
          expect(comparable(twin), `row after ${call}`).to.deep.equal(comparable(real))
        }
      },
    )
    await fc.assert(property, { numRuns: 25 })
  })
})

function newWorld() {
  const accounts = ['one', 'two'].map((name) => ({ accountId: newId(), name, plan: 'pro' }))
  const commands = Array.from({ length: 5 }, (_, index) => ({
    ...newCommand(accounts[index % 2]?.accountId ?? ''),
    vcpuCount: index + 1,
    priority: priorities[index % priorities.length] ?? 'normal',
  }))
  const files = commands.map((command) => newFile(command.commandId))
  return { accounts, commands, files, pods: ['pod-1', 'pod-2', 'pod-3'] }
}

interface At {
  readonly world: ReturnType<typeof newWorld>
  readonly command: number
  readonly pod: number
}

const commandAt = ({ world, command }: At) => world.commands[command] ?? newCommand('')
const idAt = (at: At) => commandAt(at).commandId
/** An account of its own in most cases, so that not all stands still. */
const pausedAt = (at: At): PauseTarget =>
  at.pod === 2
    ? { what: pausable[at.command % pausable.length] ?? 'dispatch' }
    : { what: 'account', accountId: commandAt(at).accountId }
const podAt = ({ world, pod }: At) => world.pods[pod] ?? ''
/** Pods of two commands may be of one Job. */
const jobAt = (at: At) => `ffw-${(at.pod + at.command) % 3}`
const uidAt = (at: At) => `uid-${at.pod}`
/** The generation and attempt of the row, as a caller that just read them would give them. */
const seen = async (store: LifecycleStore, at: At) => {
  const row = await store.findForReconcile(idAt(at))
  return { jobGeneration: row?.jobGeneration ?? 1, attempt: row?.attempt ?? null }
}
const everything = { limit: 100, liveLimit: 3, lookAhead: 2, leaseSeconds: 0, retries: true }
const admission = {
  vcpuLimit: 6,
  jobLimit: 2,
  fileJobLimit: 1,
  passSeconds: 3_600,
  liveJobLimit: 3,
  liveFileJobLimit: 1,
  capacityVcpus: 9,
}

const calls = {
  insert: (store: LifecycleStore, at: At) => store.insertCommands([commandAt(at)]),
  insertAll: (store: LifecycleStore, at: At) => store.insertCommands(at.world.commands),
  importOne: (store: LifecycleStore, at: At) =>
    store.importCommand({ ...commandAt(at), resourceUid: uidAt(at) }),
  importFile: (store: LifecycleStore, at: At) =>
    store.importFile({
      fileId: idAt(at),
      accountId: commandAt(at).accountId,
      environmentName: null,
      url: 'https://media.example/a.mov',
      isPrivate: at.pod === 1,
      resourceUid: uidAt(at),
    }),
  importRefused: (store: LifecycleStore, at: At) =>
    store.importRefused({ ...commandAt(at), resourceUid: uidAt(at), errorMessage: 'no' }),
  claimUndispatched: (store: LifecycleStore, _at: At) => claimed(store, true),
  failDispatch: (store: LifecycleStore, at: At) =>
    store.recordDispatchFailure({
      commandId: idAt(at),
      tries: at.pod,
      definite: at.pod > 0,
      error: 'x\0',
      retrySeconds: at.pod === 2 ? 1_000 : 0,
    }),
  claimFresh: (store: LifecycleStore, _at: At) => claimed(store, false),
  dispatch: (store: LifecycleStore, at: At) => store.markDispatched(idAt(at), uidAt(at)),
  undispatch: (store: LifecycleStore, at: At) => store.undispatch(idAt(at), uidAt(at)),
  findWaiting: async (store: LifecycleStore, at: At) => {
    const accounts = await store.findWaiting({ heads: at.pod + 1 })
    return accounts
      .toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))
      .map(({ running, ...account }) => ({
        ...account,
        running: running.toSorted((a, b) => (a.commandId < b.commandId ? -1 : 1)),
      }))
  },
  findSubmissions: async (store: LifecycleStore) => {
    const submissions = await store.findSubmissions({ withinSeconds: 600 })
    return submissions.map(({ accountId, vcpuCount }) => `${accountId} ${vcpuCount}`).toSorted()
  },
  recordWaits: (store: LifecycleStore, at: At) =>
    store.recordWaits([
      {
        accountId: commandAt(at).accountId,
        ...(at.pod === 0
          ? { reason: null, rateVcpus: null }
          : { reason: 'CAPACITY', rateVcpus: at.pod }),
      },
    ]),
  pause: (store: LifecycleStore, at: At) => store.pause(pausedAt(at), `why ${at.pod}`),
  resume: (store: LifecycleStore, at: At) => store.resume(pausedAt(at)),
  admit: (store: LifecycleStore, at: At) => admitWaiting(store, commandAt(at).accountId, admission),
  admitOne: (store: LifecycleStore, at: At) =>
    store.admit({ ...admission, accountId: commandAt(at).accountId, commandIds: [idAt(at)] }),
  claim: async (store: LifecycleStore, at: At) => {
    const { jobGeneration } = await seen(store, at)
    return store.claimAttempt({ commandId: idAt(at), jobGeneration, podUid: podAt(at) })
  },
  bind: (store: LifecycleStore, at: At) =>
    store.bindWarmRunner({
      commandId: idAt(at),
      podUid: podAt(at),
      waitedSeconds: at.pod,
      warmRunnerJob: jobAt(at),
    }),
  findBound: (store: LifecycleStore, at: At) => store.findBound(podAt(at)),
  boundWarmRunners: (store: LifecycleStore, at: At) =>
    store.boundWarmRunners(['ffw-0', 'ffw-1', jobAt(at)]),
  demand: async (store: LifecycleStore, at: At) =>
    (await store.warmRunnerDemand({ vcpuCount: at.command + 1, coldPlans: [] })).most,
  progress: (store: LifecycleStore, at: At) => store.storeProgress(progressOf(idAt(at), podAt(at))),
  prepared: (store: LifecycleStore, at: At) =>
    store.storeProgress({
      ...progressOf(idAt(at), podAt(at)),
      status: 'PREPARED_FFMPEG_COMMAND',
      progressPercent: 10 * at.pod,
    }),
  lose: async (store: LifecycleStore, at: At) =>
    store.loseAttempt(lossOf(idAt(at), { ...(await seen(store, at)), podUid: podAt(at) })),
  crash: async (store: LifecycleStore, at: At) =>
    store.loseAttempt(
      lossOf(idAt(at), { ...(await seen(store, at)), charged: true, sameGeneration: true }),
    ),
  evict: async (store: LifecycleStore, at: At) =>
    store.loseAttempt(
      lossOf(idAt(at), {
        ...(await seen(store, at)),
        podUid: podAt(at),
        reason: 'KueueEvicted',
        sameGeneration: true,
      }),
    ),
  succeed: (store: LifecycleStore, at: At) =>
    store.commitOutcome(
      commitOf(idAt(at), podAt(at), {
        status: 'SUCCESS',
        files: filesAt(at),
      }),
    ),
  fail: (store: LifecycleStore, at: At) =>
    store.commitOutcome({ ...commitOf(idAt(at), podAt(at), failed('FFMPEG_FAILED')), steps: null }),
  cancelQueued: (store: LifecycleStore, at: At) =>
    store.commitOutcome(commitOf(idAt(at), null, failed('CANCELLED'))),
  restore: (store: LifecycleStore, at: At) =>
    store.restoreOutcome(shownAt(at, { status: 'SUCCESS', files: filesAt(at) })),
  restoreFailed: (store: LifecycleStore, at: At) =>
    store.restoreOutcome(shownAt(at, failed('FFMPEG_FAILED'))),
  restoreCancelled: (store: LifecycleStore, at: At) =>
    store.restoreOutcome({ ...shownAt(at, failed('CANCELLED')), attempt: null, jobGeneration: 0 }),
  findResult: (store: LifecycleStore, at: At) => store.findResult(idAt(at)),
  requestCancel: (store: LifecycleStore, at: At) => store.requestCancel(idAt(at), 'administrator'),
  release: (store: LifecycleStore, at: At) => store.releaseQuota(idAt(at)),
  findUnmirrored: (store: LifecycleStore, _at: At) => store.findUnmirrored(100),
  mirror: async (store: LifecycleStore, at: At) => {
    const row = await store.findForReconcile(idAt(at))
    return store.markMirrored(idAt(at), (row?.version ?? 1) - (at.pod === 2 ? 1 : 0))
  },
  collect: (store: LifecycleStore, at: At) =>
    store.findCollectable({
      olderThanSeconds: 0,
      keepNewest: at.pod,
      keepSeconds: 60,
      limit: 9,
      except: at.command === 4 ? [idAt(at)] : [],
    }),
  collectable: async (store: LifecycleStore, at: At) => {
    const kept = { olderThanSeconds: 0, keepNewest: at.pod, keepSeconds: 60 }
    return (await store.collectableBacklog(kept)).rows
  },
  resourceDeleted: (store: LifecycleStore, at: At) => store.markResourceDeleted(idAt(at)),
  findUnsettled: (store: LifecycleStore, at: At) =>
    store.findUnsettled({ afterCommandId: idAt(at), limit: 2 }),
  upload: (store: LifecycleStore, at: At) =>
    store.recordUpload({
      commandId: idAt(at),
      attempt: podAt(at),
      key: 'k',
      uploadId: `${at.command}-${at.pod}`,
    }),
  findUpload: (store: LifecycleStore, at: At) => store.findUpload(podAt(at), 'k'),
  forget: (store: LifecycleStore, at: At) => store.forgetUpload(`${at.command}-${at.pod}`),
  findSweepable: (store: LifecycleStore, _at: At) =>
    store.findSweepable({ olderThanSeconds: 0, limit: 100 }),
  swept: (store: LifecycleStore, at: At) => store.markSwept(idAt(at), podAt(at)),
  postpone: (store: LifecycleStore, at: At) => store.postponeSweep(idAt(at), podAt(at)),
  backlog: async (store: LifecycleStore, _at: At) => {
    const { due, failing } = await store.sweepBacklog({ olderThanSeconds: 0 })
    return { due, failing }
  },
  findStored: (store: LifecycleStore, at: At) =>
    store.findStoredObject(commandAt(at).accountId, at.world.files[at.command]?.key ?? ''),
  find: (store: LifecycleStore, at: At) => store.findCommand(commandAt(at).accountId, idAt(at)),
  list: (store: LifecycleStore, at: At) =>
    store.listCommands({
      accountId: commandAt(at).accountId,
      limit: 2,
      offset: at.pod,
      status: at.pod === 0 ? 'QUEUED' : null,
    }),
  gauges: async (store: LifecycleStore, _at: At) => {
    const { byStatus, waiting, ledgerVcpus } = await store.gauges()
    const counts = Object.entries(waiting).map(
      ([reason, { commands, vcpus }]) => `${reason} ${commands} ${vcpus}`,
    )
    return { byStatus, waiting: counts.toSorted(), ledgerVcpus }
  },
} satisfies Record<string, (store: LifecycleStore, at: At) => Promise<unknown>>

const filesAt = (at: At) => at.world.files.slice(at.command, at.command + 1)

function shownAt(at: At, outcome: ShownOutcome['outcome']): ShownOutcome {
  return {
    commandId: idAt(at),
    attempt: podAt(at),
    jobGeneration: at.pod + 1,
    attempts: at.pod,
    outcome,
    steps: [],
    startedAt: null,
    ffmpegRunSeconds: null,
    processingBytes: 7,
    finishedAt: at.pod === 0 ? null : '2026-01-02T03:04:05.678Z',
  }
}

const step = fc.record({
  call: fc.constantFrom(...(Object.keys(calls) as (keyof typeof calls)[])),
  command: fc.nat({ max: 4 }),
  pod: fc.nat({ max: 2 }),
})

const settled = (answer: Promise<unknown>) => answer.catch(() => 'rejected')

/** Two clocks differ; whether there is a time at all does not. */
function comparable(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer ?? null, (key, value: unknown) =>
      value !== null &&
      /(At|secondsSinceGeneration|errorSeconds|(waited|queued|running|used\w+)Seconds)$/.test(key)
        ? 'some time'
        : value,
    ),
  )
}

/** Each store has a key of its own. */
async function claimed(store: LifecycleStore, retries: boolean): Promise<object[]> {
  const rows = await store.claimUndispatched({ ...everything, retries })
  return rows.map(({ dispatchKey, ...row }) => ({ ...row, hasKey: dispatchKey !== '' }))
}
