import { expect } from 'chai'
import type { ErrorStatus } from '../failures.ts'
import { systemEffects } from '../system-effects.ts'
import type {
  NewCommand,
  NewFile,
  Outcome,
  OutcomeCommit,
  Progress,
  ReconcileRow,
  Store,
} from '../store.ts'

export interface OpenStore {
  readonly store: Store
  /** Makes everything in the store look this much older. */
  age(seconds: number): Promise<void>
  close(): Promise<void>
}

/** What every store promises; run against the real one and against the simulator's twin. */
export function describeStore(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name} as a store`, () => {
    let opened: OpenStore
    let store: Store
    let accountId: string

    before(async () => {
      opened = await open()
      store = opened.store
    })
    after(() => opened.close())
    beforeEach(async () => {
      const account = await store.ensureAccount({
        accountId: newId(),
        name: `a${newId()}`,
        plan: 'pro',
      })
      accountId = account.accountId
    })

    const submit = async (change: Partial<NewCommand> = {}): Promise<string> => {
      const command = { ...newCommand(accountId), ...change }
      await store.insertCommands([command])
      return command.commandId
    }
    const dispatch = async (change: Partial<NewCommand> = {}): Promise<string> => {
      const commandId = await submit(change)
      await store.markDispatched(commandId, `uid-${commandId}`)
      return commandId
    }
    const admit = (vcpuLimit: number | null = null, passSeconds = 300) =>
      store.admit({ accountId, vcpuLimit, passSeconds, liveJobLimit: 100_000 })
    const run = async (podUid: string, change: Partial<NewCommand> = {}): Promise<string> => {
      const commandId = await dispatch(change)
      await admit()
      await store.claimAttempt({ commandId, round: 1, podUid })
      return commandId
    }
    const row = async (commandId: string): Promise<ReconcileRow> => {
      const found = await store.findForReconcile(commandId)
      if (found === null) throw new Error(`no row ${commandId}`)
      return found
    }

    describe('accounts and keys', () => {
      it('keeps the account that has the name already', async () => {
        const name = `a${newId()}`
        const first = await store.ensureAccount({ accountId: newId(), name, plan: 'pro' })
        const second = await store.ensureAccount({ accountId: newId(), name, plan: 'free' })
        expect(second).to.deep.equal(first)
        expect(await store.findAccountByName(name)).to.deep.equal(first)
        expect(await store.findAccountByName('nobody')).to.equal(null)
      })

      it('finds a key by its hash, the same after it was added twice', async () => {
        const sha256 = Buffer.alloc(32, newId())
        const key = { accountId, sha256, environmentName: 'staging' }
        await store.ensureApiKey(key)
        await store.ensureApiKey({ ...key, environmentName: 'other' })
        const found = await store.findKey(sha256)
        expect(found?.account.accountId).to.equal(accountId)
        expect(found?.environmentName).to.equal('staging')
        expect(await store.findKey(Buffer.alloc(32))).to.equal(null)
      })
    })

    describe('submission', () => {
      it('reads back what was submitted, in the order it was written', async () => {
        const command = {
          ...newCommand(accountId),
          metadata: { zebra: 1, a: true },
          originalRequest: { output_files: { out_10: 'a.mp4', out_2: 'b.mp4' } },
        }
        await store.insertCommands([command])
        const record = await store.findCommand(accountId, command.commandId)
        expect(record).to.deep.include({
          ...command,
          status: 'QUEUED',
          stage: null,
          progressPercent: null,
          attempts: 0,
          startedAt: null,
          finishedAt: null,
          queuePosition: 1,
          processingBytes: null,
          files: [],
        })
        expect(record?.steps).to.deep.equal([queuedStep])
        expect(JSON.stringify(record?.originalRequest)).to.equal(
          JSON.stringify(command.originalRequest),
        )
      })

      it('keeps the first row when the same id comes again', async () => {
        const command = newCommand(accountId)
        await store.insertCommands([command, newCommand(accountId)])
        await store.insertCommands([{ ...command, vcpuCount: 9 }])
        expect((await row(command.commandId)).vcpuCount).to.equal(command.vcpuCount)
      })

      it('hides a command from other accounts', async () => {
        const commandId = await submit()
        expect(await store.findCommand(newId(), commandId)).to.equal(null)
      })

      it('lists newest first, filtered before it is cut', async () => {
        const ids = [await submit(), await submit(), await submit()]
        const list = async (status: 'QUEUED' | 'FAILED' | null, limit: number, offset: number) =>
          (await store.listCommands({ accountId, status, limit, offset })).map((c) => c.commandId)
        expect(await list(null, 10, 0)).to.deep.equal(ids.toReversed())
        expect(await list('QUEUED', 1, 1)).to.deep.equal([ids[1]])
        expect(await list('FAILED', 10, 0)).to.deep.equal([])
      })
    })

    describe('dispatch', () => {
      it('leases undispatched rows to one replica at a time', async () => {
        const ids = [await submit(), await submit()]
        const claim = async () =>
          (await store.claimUndispatched({ limit: 1_000, liveLimit: 100_000, leaseSeconds: 30 }))
            .filter((command) => command.accountId === accountId)
            .map((command) => command.commandId)
        expect(await claim()).to.deep.equal(ids)
        expect(await claim()).to.deep.equal([])
        await opened.age(31)
        expect(await claim()).to.deep.equal(ids)
        for (const id of ids) await store.markDispatched(id, `uid-${id}`)
        await opened.age(31)
        expect(await claim()).to.deep.equal([])
      })

      it('claims nothing while as many resources live as may', async () => {
        await dispatch()
        await submit()
        const claimed = await store.claimUndispatched({ limit: 10, liveLimit: 1, leaseSeconds: 1 })
        expect(claimed).to.deep.equal([])
      })

      it('does not let a slow dispatcher replace the resource that is recorded', async () => {
        const commandId = await dispatch()
        await store.markDispatched(commandId, 'late')
        expect((await row(commandId)).resourceUid).to.equal(`uid-${commandId}`)
      })

      it('builds a vanished resource again, with the attempt fenced and a new round', async () => {
        const commandId = await run('pod-1')
        await store.undispatch(commandId, 'another-uid')
        expect((await row(commandId)).attempt).to.equal('pod-1')
        await store.undispatch(commandId, `uid-${commandId}`)
        await store.undispatch(commandId, `uid-${commandId}`)
        expect(await row(commandId)).to.deep.include({
          resourceUid: null,
          attempt: null,
          round: 2,
          lostAttempts: ['pod-1'],
          mirroredVersion: 0,
        })
        const claimed = await store.claimUndispatched({
          limit: 1_000,
          liveLimit: 100_000,
          leaseSeconds: 1,
        })
        expect(claimed.find((command) => command.commandId === commandId)?.round).to.equal(2)
      })
    })

    describe('import', () => {
      it('inserts once', async () => {
        const command = { ...newCommand(accountId), resourceUid: newId() }
        expect(await store.importCommand(command)).to.equal('inserted')
        expect(await store.importCommand(command)).to.equal('exists')
        expect(await row(command.commandId)).to.deep.include({
          status: 'QUEUED',
          resourceUid: command.resourceUid,
        })
      })

      it('records a refused command as failed, with nothing to admit or release', async () => {
        const command = {
          ...newCommand(accountId),
          resourceUid: newId(),
          errorMessage: 'no such option',
        }
        expect(await store.importRefused(command)).to.equal('inserted')
        expect(await row(command.commandId)).to.deep.include({
          status: 'FAILED',
          errorStatus: 'INVALID_COMMAND',
          errorMessage: 'no such option',
          released: true,
          steps: [{ ...queuedStep, status: 'SKIPPED' }],
        })
        expect((await admit()).admitted).to.deep.equal([])
      })
    })

    describe('admission', () => {
      it('admits the oldest as far as the vCPUs go and shows the others their place', async () => {
        const ids = [
          await dispatch({ vcpuCount: 4 }),
          await dispatch({ vcpuCount: 4 }),
          await dispatch({ vcpuCount: 4 }),
        ]
        expect(await admit(8)).to.deep.equal({
          admitted: ids.slice(0, 2),
          waiting: 1,
          vcpuInUse: 8,
        })
        expect(await admit(8)).to.deep.equal({ admitted: [], waiting: 1, vcpuInUse: 8 })
        const positions = await Promise.all(ids.map(async (id) => (await row(id)).queuePosition))
        expect(positions).to.deep.equal([null, null, 1])
      })

      it('lets a small command pass a large one until that has waited long enough', async () => {
        await dispatch({ vcpuCount: 4 })
        await admit(6)
        await dispatch({ vcpuCount: 4 })
        const small = await dispatch({ vcpuCount: 1 })
        expect((await admit(6, 60)).admitted).to.deep.equal([small])
        await opened.age(61)
        await dispatch({ vcpuCount: 1 })
        expect((await admit(6, 60)).admitted).to.deep.equal([])
      })

      it('waits for dispatch, and leaves what is to be cancelled alone', async () => {
        await submit()
        await store.requestCancel(await dispatch())
        expect((await admit()).admitted).to.deep.equal([])
        const waiting = await store.accountsWaiting(100_000)
        expect(waiting.map((account) => account.accountId)).not.to.include(accountId)
      })

      it('names the accounts that wait, the one waiting longest first', async () => {
        await dispatch()
        const first = accountId
        const other = { accountId: newId(), name: `b${newId()}`, plan: 'pro' }
        await store.ensureAccount(other)
        await dispatch({ accountId: other.accountId })
        await dispatch()
        const waiting = (await store.accountsWaiting(100_000)).map((account) => account.accountId)
        expect(waiting.filter((id) => id === first || id === other.accountId)).to.deep.equal([
          first,
          other.accountId,
        ])
      })

      it('never admits beyond the quota when replicas admit at once', async () => {
        for (let i = 0; i < 6; i += 1) await dispatch({ vcpuCount: 2 })
        const admissions = await Promise.all([admit(4), admit(4), admit(4), admit(4)])
        expect(admissions.flatMap((admission) => admission.admitted)).to.have.length(2)
        expect(Math.max(...admissions.map((admission) => admission.vcpuInUse))).to.equal(4)
      })

      it('obeys the limit of live Jobs', async () => {
        const live = (await store.gauges()).ledgerVcpus
        for (let i = 0; i < 3; i += 1) await dispatch({ vcpuCount: 1 })
        const limit = { accountId, vcpuLimit: null, passSeconds: 1 }
        expect((await store.admit({ ...limit, liveJobLimit: 0 })).admitted).to.deep.equal([])
        expect((await store.gauges()).ledgerVcpus).to.equal(live)
      })

      it('frees the vCPUs once, and only after the end', async () => {
        const commandId = await run('pod-1', { vcpuCount: 3 })
        expect(await store.releaseQuota(commandId)).to.equal(false)
        await store.commitOutcome(commitOf(commandId, 'pod-1'))
        expect((await admit()).vcpuInUse).to.equal(3)
        expect(await store.releaseQuota(commandId)).to.equal(true)
        expect(await store.releaseQuota(commandId)).to.equal(false)
        expect((await admit()).vcpuInUse).to.equal(0)
      })
    })

    describe('attempts', () => {
      it('gives the command to the first pod, again when that asks again', async () => {
        const commandId = await dispatch()
        await admit()
        const claim = { commandId, round: 1, podUid: 'pod-1' }
        const first = await store.claimAttempt(claim)
        expect(first.kind).to.equal('assigned')
        expect((await store.claimAttempt(claim)).kind).to.equal('assigned')
        expect((await store.claimAttempt({ ...claim, podUid: 'pod-2' })).kind).to.equal('held')
        expect(await row(commandId)).to.deep.include({
          attempt: 'pod-1',
          attempts: 1,
          status: 'PROCESSING',
          stage: 'DOWNLOADING',
        })
      })

      it('gives nothing to a pod of another round, of no command, or after the end', async () => {
        const commandId = await dispatch()
        const claim = { commandId, round: 1, podUid: 'pod-1' }
        expect((await store.claimAttempt(claim)).kind).to.equal('lost')
        await admit()
        expect((await store.claimAttempt({ ...claim, round: 2 })).kind).to.equal('lost')
        const unknown = await store.claimAttempt({ ...claim, commandId: newId() })
        expect(unknown.kind).to.equal('unknown')
        await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
        expect(await store.claimAttempt(claim)).to.deep.equal({
          kind: 'final',
          status: 'FAILED',
          errorStatus: 'CANCELLED',
        })
      })

      it('lets exactly one of many pods win', async () => {
        const commandId = await dispatch()
        await admit()
        const claims = await Promise.all(
          Array.from({ length: 8 }, (_, pod) =>
            store.claimAttempt({ commandId, round: 1, podUid: `pod-${pod}` }),
          ),
        )
        expect(claims.filter((claim) => claim.kind === 'assigned')).to.have.length(1)
        expect((await row(commandId)).attempts).to.equal(1)
      })

      it('fences a lost attempt: no assignment, no progress, no result', async () => {
        const commandId = await run('pod-1')
        const loss = lossOf(commandId, { round: 1, attempt: 'pod-1', sameRound: true })
        expect(await store.loseAttempt(loss)).to.deep.equal({ round: 1 })
        expect(await store.loseAttempt(loss)).to.equal(null)
        const again = { commandId, round: 1, podUid: 'pod-1' }
        expect((await store.claimAttempt(again)).kind).to.equal('lost')
        expect((await store.storeProgress(progressOf(commandId, 'pod-1'))).kind).to.equal(
          'superseded',
        )
        expect(await store.commitOutcome(commitOf(commandId, 'pod-1'))).to.deep.equal({
          kind: 'superseded',
        })
        const second = await store.claimAttempt({ ...again, podUid: 'pod-2' })
        expect(second.kind).to.equal('assigned')
        expect(await row(commandId)).to.deep.include({ attempts: 2, lostAttempts: ['pod-1'] })
      })

      it('begins the next round when the Job is gone', async () => {
        const commandId = await run('pod-1')
        expect(await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1' }))).to.deep.equal({
          round: 2,
        })
        const old = await store.claimAttempt({ commandId, round: 1, podUid: 'pod-2' })
        expect(old.kind).to.equal('lost')
        const next = await store.claimAttempt({ commandId, round: 2, podUid: 'pod-3' })
        expect(next.kind).to.equal('assigned')
      })

      it('counts a pod that died before it asked once', async () => {
        const commandId = await dispatch()
        await admit()
        const loss = lossOf(commandId, { podUid: 'pod-1', sameRound: true })
        expect(await store.loseAttempt(loss)).to.deep.equal({ round: 1 })
        expect(await store.loseAttempt(loss)).to.equal(null)
        expect((await row(commandId)).status).to.equal('QUEUED')
      })

      it('ends with RUNNER_LOST when the attempts are used up', async () => {
        const commandId = await run('pod-1')
        await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1', maxAttempts: 2 }))
        await store.claimAttempt({ commandId, round: 2, podUid: 'pod-2' })
        const last = lossOf(commandId, { round: 2, attempt: 'pod-2', maxAttempts: 2 })
        expect(await store.loseAttempt(last)).to.deep.equal({ ended: 'RUNNER_LOST' })
        expect(await row(commandId)).to.deep.include({
          status: 'FAILED',
          errorStatus: 'RUNNER_LOST',
          errorMessage: 'The runner was lost 2 times',
        })
        expect(await store.loseAttempt(last)).to.equal(null)
      })

      it('ends with INTERNAL_ERROR when the runner crashed the same way each time', async () => {
        const commandId = await run('pod-1')
        const crash = { charged: true, reason: 'exit 42', maxAttempts: 2 }
        await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1', ...crash }))
        await store.claimAttempt({ commandId, round: 2, podUid: 'pod-2' })
        const last = lossOf(commandId, { round: 2, attempt: 'pod-2', ...crash })
        expect(await store.loseAttempt(last)).to.deep.equal({ ended: 'INTERNAL_ERROR' })
      })
    })

    describe('progress', () => {
      it('moves forward only, and never lowers the percentage', async () => {
        const commandId = await run('pod-1')
        const at = (change: Partial<Progress>) =>
          store.storeProgress({ ...progressOf(commandId, 'pod-1'), ...change })
        expect(await at({ stage: 'FFMPEG_PROCESSING', progressPercent: 40 })).to.deep.equal({
          kind: 'stored',
          cancel: false,
        })
        const running = { ...queuedStep, status: 'PROCESSING', progress_percent: 10 } as const
        await at({ stage: 'FFMPEG_PROCESSING', progressPercent: 10, steps: [running] })
        await at({ stage: 'DOWNLOADING', progressPercent: 99 })
        expect(await row(commandId)).to.deep.include({
          status: 'PROCESSING',
          stage: 'FFMPEG_PROCESSING',
          progressPercent: 40,
          steps: [queuedStep],
        })
        await at({ stage: 'UPLOADING', progressPercent: null })
        expect(await row(commandId)).to.deep.include({ stage: 'UPLOADING', progressPercent: 40 })
      })

      it('passes through PREPARED_FFMPEG_COMMAND', async () => {
        const commandId = await run('pod-1')
        await store.storeProgress({
          ...progressOf(commandId, 'pod-1'),
          status: 'PREPARED_FFMPEG_COMMAND',
          stage: 'FFMPEG_PROCESSING',
        })
        expect(await row(commandId)).to.deep.include({
          status: 'PREPARED_FFMPEG_COMMAND',
          stage: 'PREPARING_INPUT_FILES',
        })
      })

      it('passes a wish to cancel on to the runner', async () => {
        const commandId = await run('pod-1')
        await store.requestCancel(commandId)
        const { version } = await row(commandId)
        await store.requestCancel(commandId)
        expect((await row(commandId)).version).to.equal(version)
        expect(await store.storeProgress(progressOf(commandId, 'pod-1'))).to.deep.equal({
          kind: 'stored',
          cancel: true,
        })
      })

      it('tells an attempt that comes after the end how it ended', async () => {
        const commandId = await run('pod-1')
        await store.commitOutcome(commitOf(commandId, 'pod-1', failed('DISK_FULL')))
        expect(await store.storeProgress(progressOf(commandId, 'pod-1'))).to.deep.equal({
          kind: 'final',
          status: 'FAILED',
          errorStatus: 'DISK_FULL',
        })
      })
    })

    describe('the commit', () => {
      it('records outcome, usage and files together', async () => {
        const commandId = await run('pod-1')
        const file = newFile(commandId)
        const commit = commitOf(commandId, 'pod-1', { status: 'SUCCESS', files: [file] })
        expect(await store.commitOutcome(commit)).to.deep.equal({ kind: 'committed' })
        const record = await store.findCommand(accountId, commandId)
        expect(record).to.deep.include({
          status: 'SUCCESS',
          stage: null,
          progressPercent: 100,
          errorStatus: null,
          ffmpegRunSeconds: 2.5,
          processingBytes: 3_000,
        })
        expect(record?.files).to.have.length(1)
        expect(record?.files[0]).to.deep.include({ ...file, commandId, deletedAt: null })
        expect((await row(commandId)).outputs).to.deep.equal({
          count: 1,
          bytes: file.sizeBytes,
          firstKey: file.key,
        })
        expect(await store.findStoredObject(accountId, file.key)).to.deep.equal({ name: 'o.mp4' })
        expect(await store.findStoredObject(newId(), file.key)).to.equal(null)
      })

      it('keeps files in the order of the result', async () => {
        const commandId = await run('pod-1')
        const files = ['c', 'a', 'b'].map((name) => newFile(commandId, `${name}.mp4`))
        await store.commitOutcome(commitOf(commandId, 'pod-1', { status: 'SUCCESS', files }))
        const record = await store.findCommand(accountId, commandId)
        expect(record?.files.map((file) => file.key)).to.deep.equal(files.map((file) => file.key))
      })

      it('answers a repeated result with what is recorded', async () => {
        const commandId = await run('pod-1')
        const commit = commitOf(commandId, 'pod-1', {
          status: 'SUCCESS',
          files: [newFile(commandId)],
        })
        await store.commitOutcome(commit)
        expect(await store.commitOutcome(commit)).to.deep.equal({
          kind: 'final',
          status: 'SUCCESS',
          errorStatus: null,
          attempt: 'pod-1',
        })
        expect((await store.findCommand(accountId, commandId))?.files).to.have.length(1)
      })

      it('ends a command once, whoever tries', async () => {
        const commandId = await run('pod-1')
        const ends = await Promise.all([
          store.commitOutcome(commitOf(commandId, 'pod-1')),
          store.commitOutcome(commitOf(commandId, 'pod-1', failed('CANCELLED'))),
          store.loseAttempt(lossOf(commandId, { attempt: 'pod-1', maxAttempts: 1 })),
          store.commitOutcome(commitOf(commandId, 'pod-2', failed('OUT_OF_MEMORY'))),
        ])
        const won = ends.filter(
          (end) => end !== null && ('ended' in end || ('kind' in end && end.kind === 'committed')),
        )
        expect(won).to.have.length(1)
        const { status, errorStatus } = await row(commandId)
        await store.commitOutcome(commitOf(commandId, 'pod-1', failed('INTERNAL_ERROR')))
        expect(await row(commandId)).to.deep.include({ status, errorStatus })
      })

      it('refuses an end without an attempt while an attempt holds the command', async () => {
        const commandId = await run('pod-1')
        const cancel = commitOf(commandId, null, failed('CANCELLED'))
        expect(await store.commitOutcome(cancel)).to.deep.equal({ kind: 'superseded' })
        expect(await store.commitOutcome(commitOf(newId(), 'pod-1'))).to.deep.equal({
          kind: 'superseded',
        })
      })

      it('closes the steps of a run that nobody reported', async () => {
        const commandId = await run('pod-1', { source: { ...source, commands: ['a', 'b', 'c'] } })
        const [one, two, three] = [0, 1, 2].map((index) => ({ ...queuedStep, index }))
        if (one === undefined || two === undefined || three === undefined) throw new Error()
        const done = { ...one, status: 'SUCCESS', ffmpeg_command_run_seconds: 4 } as const
        await store.storeProgress({
          ...progressOf(commandId, 'pod-1'),
          steps: [done, { ...two, status: 'PROCESSING' }, three],
        })
        const commit = commitOf(commandId, 'pod-1', failed('OUT_OF_MEMORY'))
        await store.commitOutcome({ ...commit, steps: null, usage: null })
        expect((await row(commandId)).steps).to.deep.equal([
          done,
          { ...two, status: 'FAILED' },
          { ...three, status: 'SKIPPED' },
        ])
        expect(await store.findCommand(accountId, commandId)).to.deep.include({
          ffmpegRunSeconds: 4,
          processingBytes: 0,
        })
      })

      it('releases at once what was never admitted', async () => {
        const commandId = await dispatch()
        await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
        expect((await row(commandId)).released).to.equal(true)
      })

      it('stores text with a NUL in it', async () => {
        const commandId = await run('pod-1')
        const outcome = { ...failed('FFMPEG_FAILED'), errorMessage: 'bad \0 title' }
        await store.commitOutcome({
          ...commitOf(commandId, 'pod-1', outcome),
          logs: [{ step: 0, sequence: 0, text: 'bad \0 title' }],
        })
        expect((await row(commandId)).status).to.equal('FAILED')
      })
    })

    describe('mirror and collection', () => {
      const unmirrored = async (commandId: string) =>
        (await store.findUnmirrored(100_000)).find((each) => each.commandId === commandId)

      it('shows a row until the custom resource has its newest version', async () => {
        const commandId = await submit()
        expect(await unmirrored(commandId)).to.equal(undefined)
        await store.markDispatched(commandId, 'uid')
        expect(await unmirrored(commandId)).to.deep.equal({ commandId, version: 1, final: false })
        await store.markMirrored(commandId, 1)
        expect(await unmirrored(commandId)).to.equal(undefined)
        await admit()
        await store.markMirrored(commandId, 1)
        expect((await unmirrored(commandId))?.version).to.equal(2)
      })

      it('puts finished commands first and marks them mirrored for good', async () => {
        const early = await run('pod-1')
        const commandId = await run('pod-2')
        await store.commitOutcome(commitOf(commandId, 'pod-2'))
        const ids = (await store.findUnmirrored(100_000)).map((each) => each.commandId)
        expect(ids.indexOf(commandId)).to.be.lessThan(ids.indexOf(early))
        const { version } = await row(commandId)
        await store.markMirrored(commandId, version - 1)
        expect((await row(commandId)).mirrored).to.equal(false)
        await store.markMirrored(commandId, version)
        expect(await row(commandId)).to.deep.include({ mirrored: true, mirroredVersion: version })
      })

      it('collects a resource after its time, the newest later', async () => {
        const ids: string[] = []
        for (const pod of ['pod-1', 'pod-2']) {
          const commandId = await run(pod)
          await store.commitOutcome(commitOf(commandId, pod))
          await store.markMirrored(commandId, (await row(commandId)).version)
          await store.releaseQuota(commandId)
          ids.push(commandId)
        }
        const collect = async (keepNewest: number) =>
          (
            await store.findCollectable({
              olderThanSeconds: 60,
              keepNewest,
              keepSeconds: 3_600,
              limit: 100_000,
            })
          ).filter((id) => ids.includes(id))
        expect(await collect(0)).to.deep.equal([])
        await opened.age(61)
        expect(await collect(1)).to.deep.equal(ids.slice(0, 1))
        expect(await collect(0)).to.deep.equal(ids)
        await opened.age(3_600)
        expect(await collect(1)).to.deep.equal(ids)
        for (const id of ids) await store.markResourceDeleted(id)
        expect(await collect(0)).to.deep.equal([])
      })

      it('does not collect what still holds vCPUs', async () => {
        const commandId = await run('pod-1')
        await store.commitOutcome(commitOf(commandId, 'pod-1'))
        await store.markMirrored(commandId, (await row(commandId)).version)
        await opened.age(7_200)
        const all = { olderThanSeconds: 0, keepNewest: 0, keepSeconds: 0, limit: 100_000 }
        expect(await store.findCollectable(all)).not.to.include(commandId)
      })

      it('pages through the commands that should have a resource', async () => {
        const ids = [await dispatch(), await dispatch(), await run('pod-1')].toSorted()
        await store.commitOutcome(commitOf(await run('pod-2'), 'pod-2'))
        const found: string[] = []
        let afterCommandId: string | null = null
        for (;;) {
          const page = await store.findDispatched({ afterCommandId, limit: 2 })
          found.push(...page.map((each) => each.commandId))
          afterCommandId = page.at(-1)?.commandId ?? null
          if (page.length < 2) break
        }
        expect(found.filter((id) => ids.includes(id))).to.deep.equal(ids)
        expect(found).to.deep.equal(found.toSorted())
      })
    })

    describe('the sweep', () => {
      const sweepable = async (commandId: string) =>
        (await store.findSweepable({ olderThanSeconds: 600, limit: 100_000 })).filter(
          (each) => each.commandId === commandId,
        )

      it('names what a lost attempt left behind, once its time has come', async () => {
        const pod = newId()
        const commandId = await run(pod)
        const upload = { commandId, attempt: pod, key: 'k', uploadId: newId() }
        await store.recordUpload(upload)
        await store.recordUpload(upload)
        expect(await store.findUpload(pod, 'k')).to.deep.equal(upload)
        await store.loseAttempt(lossOf(commandId, { attempt: pod }))
        expect(await sweepable(commandId)).to.deep.equal([])
        await opened.age(601)
        expect(await sweepable(commandId)).to.deep.equal([
          {
            commandId,
            attempt: pod,
            prefix: `public/${accountId}/${commandId}/${pod}/`,
            uploads: [upload],
          },
        ])
        await store.markSwept(commandId, pod)
        expect(await sweepable(commandId)).to.deep.equal([])
        expect(await store.findUpload(pod, 'k')).to.equal(null)
      })

      it('sweeps a failed attempt, and of a winner only the uploads it left open', async () => {
        const [failing, winning, tidy] = [newId(), newId(), newId()]
        const failedCommand = await run(failing, { isPrivate: true })
        await store.commitOutcome(commitOf(failedCommand, failing, failed('FFMPEG_FAILED')))
        const won = await run(winning)
        const upload = { commandId: won, attempt: winning, key: 'k', uploadId: newId() }
        await store.recordUpload(upload)
        await store.commitOutcome(commitOf(won, winning))
        const clean = await run(tidy)
        await store.recordUpload({ ...upload, attempt: tidy, commandId: clean, uploadId: 'gone' })
        await store.forgetUpload('gone')
        await store.commitOutcome(commitOf(clean, tidy))
        await opened.age(601)
        expect(await sweepable(failedCommand)).to.deep.equal([
          {
            commandId: failedCommand,
            attempt: failing,
            prefix: `private/${accountId}/${failedCommand}/${failing}/`,
            uploads: [],
          },
        ])
        expect(await sweepable(won)).to.deep.equal([
          { commandId: won, attempt: winning, prefix: null, uploads: [upload] },
        ])
        expect(await sweepable(clean)).to.deep.equal([])
      })
    })

    it('measures what waits', async () => {
      const before = await store.gauges()
      await submit({ vcpuCount: 5 })
      await run('pod-1', { vcpuCount: 3 })
      await opened.age(100)
      const gauges = await store.gauges()
      expect(gauges.queuedVcpus - before.queuedVcpus).to.equal(5)
      expect(gauges.ledgerVcpus - before.ledgerVcpus).to.equal(3)
      expect(gauges.byStatus['PROCESSING']).to.equal((before.byStatus['PROCESSING'] ?? 0) + 1)
      expect(gauges.undispatchedSeconds).to.be.at.least(100)
      expect(gauges.oldestQueuedSeconds).to.be.at.least(100)
      expect(gauges.unmirroredSeconds).to.be.at.least(100)
    })
  })
}

const effects = systemEffects()
export const newId = (): string => effects.newId()

const source = {
  commands: ['-i {{in_1}} {{out_1}}'],
  inputFiles: { in_1: 'https://media.example/a.mp4' },
  inputCompressedFolder: null,
  outputFiles: { out_1: 'o.mp4' },
}

export function newCommand(accountId: string): NewCommand {
  return {
    commandId: newId(),
    accountId,
    environmentName: null,
    commandType: 'FFMPEG_COMMAND',
    source,
    originalRequest: { ffmpeg_command: '-i {{in_1}} {{out_1}}' },
    metadata: null,
    vcpuCount: 2,
    maxRunSeconds: 300,
    isPrivate: false,
  }
}

export function newFile(commandId: string, name = 'o.mp4'): NewFile {
  return {
    fileId: newId(),
    alias: 'out_1',
    key: `public/a/${commandId}/pod/${name}`,
    sizeBytes: 2_000,
    compressedBytes: null,
    fileCount: null,
    media: { ...noMedia, duration: 1.5, codec: 'h264' },
  }
}

const noMedia = {
  duration: null,
  file_type: null,
  file_format: null,
  width: null,
  height: null,
  codec: null,
  timebase: null,
  pixel_format: null,
  mime_type: null,
  frame_rate: null,
  bitrate_video_kb: null,
  bitrate_audio_kb: null,
  video_profile_level: null,
  is_varying_frame_rate: null,
}

const queuedStep = {
  index: 0,
  status: 'QUEUED',
  progress_percent: null,
  ffmpeg_command_run_seconds: null,
  exit_code: null,
} as const

export function progressOf(commandId: string, attempt: string): Progress {
  return {
    commandId,
    attempt,
    status: 'PROCESSING',
    stage: 'FFMPEG_PROCESSING',
    progressPercent: null,
    steps: [queuedStep],
    logs: [{ step: 0, sequence: 0, text: 'frame=1' }],
  }
}

export function commitOf(
  commandId: string,
  attempt: string | null,
  outcome: Outcome = { status: 'SUCCESS', files: [] },
): OutcomeCommit {
  const usage = {
    inputBytes: 1_000,
    outputBytes: 2_000,
    ffmpegStarted: true,
    ffmpegRunSeconds: 2.5,
  }
  const status = outcome.status === 'SUCCESS' ? 'SUCCESS' : 'FAILED'
  return { commandId, attempt, outcome, steps: [{ ...queuedStep, status }], usage, logs: [] }
}

export function failed(errorStatus: ErrorStatus) {
  return { status: 'FAILED', errorStatus, errorMessage: `because ${errorStatus}` } as const
}

export function lossOf(commandId: string, change: Partial<Parameters<Store['loseAttempt']>[0]>) {
  return {
    commandId,
    round: 1,
    attempt: null,
    podUid: null,
    reason: 'Evicted',
    charged: false,
    sameRound: false,
    maxAttempts: 3,
    ...change,
  }
}
