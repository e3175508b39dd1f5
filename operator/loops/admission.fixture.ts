import { Registry } from 'prom-client'
import { createMemoryStore } from '../../testing/simulator/memory-store/memory-store.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { planWith } from '../../testing/support/plans.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import { createPassMetrics } from '../admission/pass-metrics.ts'
import { commitOf, failed } from '../../testing/store-contract/fixtures.ts'
import { row } from '../../testing/support/operator/snapshot.ts'
import { podlessSeconds } from '../status/start-reason.ts'
import { createAdmission } from './admit.ts'
import type { Admission, AdmissionDeps, AdmissionSettings } from './admit.ts'

type Owner = Pick<Account, 'accountId' | 'name' | 'plan'>

export const account: Owner = { accountId: 'a', name: 'acme', plan: 'small' }
export const other: Owner = { accountId: 'b', name: 'globex', plan: 'small' }

/** Admission on the simulator's store and clock. */
export function admissionWorld(
  settings: Partial<AdmissionSettings> = {},
  {
    plans = { small: planWith() },
    podsOf = () => [],
    jobsOf = () => [],
    refusalOf = () => null,
  }: WorldOptions = {},
) {
  const clock = createVirtualClock()
  const store = createMemoryStore({ clock })
  const failing = new Set<string>()
  const tried: string[] = []
  const admitted: string[] = []
  const woken: number[] = []
  const leader = (): Admission =>
    createAdmission({
      store: {
        findWaiting: (query) => store.findWaiting(query),
        findSubmissions: (query) => store.findSubmissions(query),
        recordWaits: (waits) => store.recordWaits(waits),
        returnToQueue: (command) => store.returnToQueue(command),
        async admit(wanted) {
          tried.push(wanted.accountId)
          if (failing.has(wanted.accountId)) throw new Error('canceling statement')
          return store.admit(wanted)
        },
      },
      caches: { podsOf, jobsOf },
      refusalOf,
      secondsWithoutPod: () => podlessSeconds,
      podRefusalOf: () => null,
      compared: () => Promise.resolve(),
      plans,
      settings: {
        liveJobs: 2,
        liveFileJobs: 1,
        capacityVcpus: null,
        learnsCapacity: true,
        reservedShare: 0,
        reserveSeconds: 1_800,
        passSeconds: 300,
        startingPods: null,
        unplacedPods: 2,
        ...settings,
      },
      logger: silentLogger,
      term: { mustHold: () => undefined },
      effects: { clock, random: () => 0.5, newId: () => '', failpoint: directly },
      metrics: createPassMetrics(new Registry()),
      onAdmitted: (ids) => admitted.push(...ids),
      wake: () => woken.push(clock.monotonicMs()),
    })
  const admission = leader()
  const submit = async (
    commandId: string,
    vcpuCount: number,
    owner = account,
    mostReservedBytes: number | null = null,
  ): Promise<void> => {
    await store.ensureAccount(owner)
    await store.insertCommands([
      {
        ...row(),
        commandType: 'FFMPEG_COMMAND',
        ...owner,
        commandId,
        vcpuCount,
        mostReservedBytes,
      },
    ])
    await store.markDispatched(commandId, `uid-${commandId}`)
  }
  /** Work on a file that is stored from a URL. */
  const storeFile = async (fileId: string, owner = account): Promise<void> => {
    await store.ensureAccount(owner)
    await store.importFile({
      fileId,
      accountId: owner.accountId,
      environmentName: null,
      isPrivate: false,
      url: 'https://media.example/a.mov',
      resourceUid: `uid-${fileId}`,
    })
  }
  /** A command of the account that has ended and gone. */
  const submitEnded = async (commandId: string, vcpuCount: number, owner = account) => {
    await submit(commandId, vcpuCount, owner)
    await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
    await store.releaseQuota(commandId)
  }
  const pass = (by = admission): Promise<boolean> => by.admitWaiting(new AbortController().signal)
  /** A pass a second, as the operator's loop makes it. */
  const passes = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await pass()
      await clock.advance(1_000)
    }
  }
  return {
    admission,
    leader,
    admitted,
    woken,
    submit,
    submitEnded,
    storeFile,
    pass,
    passes,
    clock,
    failing,
    tried,
    store,
  }
}

export interface WorldOptions {
  readonly plans?: Plans
  readonly podsOf?: AdmissionDeps['caches']['podsOf']
  readonly jobsOf?: AdmissionDeps['caches']['jobsOf']
  readonly refusalOf?: AdmissionDeps['refusalOf']
}
