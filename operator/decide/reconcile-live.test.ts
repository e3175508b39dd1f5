import { expect } from 'chai'
import { actionOf, kinds } from './plan-of.fixture.ts'
import { reconcile } from './reconcile.ts'
import {
  admittedRow,
  command,
  elapsed,
  ended,
  job,
  pod,
  podUid,
  resourceUid,
  row,
  runningRow,
  snapshot,
} from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import type { SnapshotFacts } from './snapshot.ts'
import { shownStatus } from '../observe/shown-status.ts'

describe('reconcile, while it runs', () => {
  it('reconcile does nothing but show the status of a healthy run', () => {
    expect(kinds({ row: runningRow(), jobs: [job()], pods: [pod()] })).to.deep.equal(['showStatus'])
  })

  it('cancels a command when its object has a deletion timestamp', () => {
    const { errorStatus, attempt, cancelledBy } = actionOf(
      { row: runningRow(), command: command({ deleting: true }), jobs: [job()], pods: [pod()] },
      'commitFailure',
    )
    expect({ errorStatus, attempt }).to.deep.equal({ errorStatus: 'CANCELLED', attempt: podUid })
    expect(cancelledBy).to.equal('deletion of the object')
  })

  it('adds the finalizer before anything else when an uninstallation removed it', () => {
    const bare = command({ recordFinalizer: false })
    for (const live of [row(), admittedRow(), runningRow()]) {
      expect(kinds({ row: live, command: bare })).to.deep.equal(['addFinalizer'])
    }
  })

  it('cancels a command when spec.cancel or the row requests it', () => {
    for (const { cancelledBy, ...changes } of [
      {
        row: row(),
        command: command({ cancel: true }),
        cancelledBy: 'spec.cancel of the object',
      },
      { row: row({ cancelRequested: true }), cancelledBy: null },
    ]) {
      const action = actionOf(changes, 'commitFailure')
      expect(action).to.include({ errorStatus: 'CANCELLED', cancelledBy })
    }
  })

  it('reads the API server before it concludes that a resource vanished', () => {
    expect(actionOf({ row: runningRow(), command: null }, 'confirm').what).to.equal('command')
  })

  it('requests a new dispatch when the resource of a running command is gone', () => {
    const confirmed = new Set(['command'] as const)
    const { resourceUid: uid } = actionOf(
      { row: runningRow(), command: null, confirmed },
      'undispatch',
    )
    expect(uid).to.equal(resourceUid)
  })

  it('reads the API server before it concludes that an attempt vanished', () => {
    expect(actionOf({ row: runningRow(), jobs: [job()] }, 'confirm').what).to.equal('pods')
  })

  it('starts the next generation when Job and pod were deleted by hand', () => {
    const { loss } = actionOf(
      { row: runningRow(), confirmed: new Set(['pods'] as const) },
      'loseAttempt',
    )
    expect(loss).to.deep.include({
      reason: 'JobDeleted',
      charged: false,
      sameGeneration: false,
    })
  })

  it('reconcile does not create the Job again when an attempt holds the command', () => {
    const actions = kinds({ row: runningRow(), pods: [pod()] })
    expect(actions).to.deep.equal(['showStatus'])
  })

  it('keeps the Job when it will replace an evicted pod', () => {
    const evicted = pod({
      phase: 'Failed',
      disruption: 'EvictionByEvictionAPI',
      transfer: ended(31),
    })
    const { loss } = actionOf({ row: runningRow(), jobs: [job()], pods: [evicted] }, 'loseAttempt')
    expect(loss).to.deep.include({
      reason: 'Disrupted',
      charged: false,
      sameGeneration: true,
    })
  })

  it('counts a drained pod as lost although its containers ended with 0', () => {
    const drained = pod({
      phase: 'Succeeded',
      disruption: 'EvictionByEvictionAPI',
      transfer: ended(0),
      ffmpeg: ended(0),
    })
    const complete = job({ finished: true, ending: { reason: 'Complete', message: '' } })
    const { loss } = actionOf(
      { row: runningRow(), jobs: [complete], pods: [drained] },
      'loseAttempt',
    )
    expect(loss).to.deep.include({ reason: 'Disrupted', sameGeneration: false })
  })

  it('charges a crash of transfer and keeps the Job while its back-off limit allows', () => {
    const crashed = pod({ phase: 'Failed', transfer: ended(42), ffmpeg: ended(1) })
    const { loss } = actionOf({ row: runningRow(), jobs: [job()], pods: [crashed] }, 'loseAttempt')
    expect(loss).to.deep.include({
      reason: 'UnexpectedError',
      charged: true,
      sameGeneration: true,
    })
  })

  it('starts a new generation after a code that fails the Job', () => {
    const killed = pod({ phase: 'Failed', transfer: ended(44), ffmpeg: ended(137) })
    const { loss } = actionOf({ row: runningRow(), jobs: [job()], pods: [killed] }, 'loseAttempt')
    expect(loss).to.deep.include({ reason: 'ContainerKilled', sameGeneration: false })
  })

  it('waits for a pod that terminates within its grace', () => {
    const terminating = pod({ deletion: { graceSeconds: 15 } })
    const plan = reconcile(
      snapshot({
        row: runningRow(),
        jobs: [job()],
        pods: [terminating],
        elapsed: elapsed({ podDeletion: new Map([[podUid, 10]]) }),
      }),
    )
    expect(plan.actions.map(({ kind }) => kind)).to.deep.equal(['showStatus'])
    expect(plan.requeueAfterMs).to.equal(35_000)
  })

  it('loses the attempt and starts a new generation when its node is dead', () => {
    const onDeadNode = pod({
      deletion: { graceSeconds: 15 },
      disruption: 'DeletionByTaintManager',
    })
    const { loss } = actionOf(
      {
        row: runningRow(),
        jobs: [job()],
        pods: [onDeadNode],
        elapsed: elapsed({ podDeletion: new Map([[podUid, 16]]) }),
      },
      'loseAttempt',
    )
    expect(loss).to.deep.include({ reason: 'NodeLost', sameGeneration: false })
  })

  it('deletes the Job of an earlier generation', () => {
    const { job: deleted } = actionOf(
      { row: admittedRow({ jobGeneration: 2 }), jobs: [job({ jobGeneration: 1 })] },
      'deleteJob',
    )
    expect(deleted.jobGeneration).to.equal(1)
  })

  it('creates the Job of the next generation while a lost pod still stands on its dead node', () => {
    const { manifest } = actionOf(
      { row: admittedRow({ jobGeneration: 2, lostAttempts: [podUid] }), pods: [pod()] },
      'createJob',
    )
    expect(manifest.metadata.name).to.match(/-2$/)
  })

  it('reconcile never adopts and never touches a foreign Job under the name of the generation', () => {
    const foreign = job({ ownerUid: 'another-owner', specHash: null })
    const actions = kinds({ row: admittedRow(), jobs: [foreign] })
    expect(actions).to.deep.equal(['loseAttempt'])
  })

  describe('on nodes that the cluster may take at any time', () => {
    const profiles = { spot: { spot: { fallback: 'stable' } }, stable: {}, plain: {} }
    const settings = {
      ...snapshot().settings,
      runner: runnerSettings({ profiles, planProfiles: { small: 'spot' } }),
    }
    const onSpot = job({ profile: 'spot' })
    const taken = pod({
      phase: 'Failed',
      disruption: 'EvictionByEvictionAPI',
      transfer: ended(31),
    })
    const lossIn = (changes: Partial<SnapshotFacts>) =>
      actionOf(
        { settings, row: runningRow(), jobs: [onSpot], pods: [taken], ...changes },
        'loseAttempt',
      ).loss

    it('loses the attempt free of charge, and has another Job start the next pod at once', () => {
      const loss = {
        reason: 'SpotDisrupted',
        charged: false,
        sameGeneration: false,
        maxAttempts: 7,
      }
      expect(lossIn({})).to.deep.include(loss)
    })

    it('a command has the profile to fall back to after the sixth loss on spot nodes', () => {
      const profileOf = (spotLosses: number) =>
        actionOf({ settings, row: admittedRow({ jobGeneration: 2, spotLosses }) }, 'createJob')
          .manifest.metadata.labels?.['cloudffmpeg.dev/profile']
      expect(profileOf(5)).to.equal('spot')
      expect(profileOf(6)).to.equal('stable')
    })

    it('counts a dead node with them, since nothing else ends a node without notice more often', () => {
      const onDeadNode = {
        pods: [pod({ deletion: { graceSeconds: 15 }, disruption: 'DeletionByTaintManager' })],
        elapsed: elapsed({ podDeletion: new Map([[podUid, 16]]) }),
      }
      const loss = { reason: 'SpotDisrupted', sameGeneration: false }
      expect(lossIn(onDeadNode)).to.deep.include(loss)
    })

    it('counts other losses, and those of Jobs without such a profile, as ever', () => {
      const crashed = pod({ phase: 'Failed', transfer: ended(42), ffmpeg: ended(1) })
      expect(lossIn({ pods: [crashed] })).to.include({ reason: 'UnexpectedError', maxAttempts: 3 })
      for (const profile of [null, 'plain', 'stable', 'removed']) {
        const loss = { reason: 'Disrupted', sameGeneration: true, maxAttempts: 3 }
        expect(lossIn({ jobs: [job({ profile })] })).to.include(loss)
      }
    })
  })

  it('reconcile comes back when the reason of a Job without a pod is due, or the allowance ends', () => {
    const waiting = admittedRow({ secondsSinceGeneration: 4 })
    const againMs = (changes: Partial<SnapshotFacts>) =>
      reconcile(snapshot({ row: waiting, jobs: [job()], ...changes })).requeueAfterMs
    expect(againMs({ elapsed: elapsed({ withoutPod: 4 }) })).to.equal(6_000)
    expect(againMs({ pods: [pod({ phase: 'Pending', node: null })] })).to.equal(86_396_000)
    expect(againMs({ pods: [pod({ phase: 'Pending' })] })).to.equal(600_000)
  })

  it('ignores a pod that exited because another one holds the command', () => {
    const superseded = pod({ uid: 'second', phase: 'Failed', transfer: ended(30) })
    const actions = kinds({ row: runningRow(), jobs: [job()], pods: [pod(), superseded] })
    expect(actions).to.deep.equal(['showStatus'])
  })

  it("fails a command by its stage when the Job's deadline has passed", () => {
    const late = job({ ending: { reason: 'DeadlineExceeded', message: '' } })
    const errors = (['DOWNLOADING', 'FFMPEG_PROCESSING', 'UPLOADING'] as const).map(
      (stage) =>
        actionOf({ row: runningRow({ stage }), jobs: [late] }, 'commitFailure').errorStatus,
    )
    expect(errors).to.deep.equal(['UNREACHABLE_INPUT_FILE', 'COMMAND_TIMEOUT', 'STORAGE_ERROR'])
  })

  it('commits the result in the termination message when the gateway was unreachable', () => {
    const message = JSON.stringify({
      outcome: { status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage: 'no' },
      steps: [],
      usage: { inputBytes: 1, outputBytes: 0, ffmpegStarted: true, ffmpegRunSeconds: 1 },
    })
    const cutOff = pod({ phase: 'Failed', transfer: ended(41, 'Error', message) })
    const { attempt, result } = actionOf(
      { row: runningRow(), jobs: [job()], pods: [cutOff] },
      'commitResult',
    )
    expect(attempt).to.equal(podUid)
    expect(result.outcome.status).to.equal('FAILED')
  })

  it('records the shown outcome when a restored database does not have it', () => {
    const shown = shownStatus({ state: 'SUCCESS', reason: 'Succeeded' })
    expect(kinds({ row: row(), command: command({ shown }) })).to.deep.equal(['recordShownOutcome'])
  })
})
