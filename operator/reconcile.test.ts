import { expect } from 'chai'
import type { Action } from './actions.ts'
import { reconcile } from './reconcile.ts'
import {
  admittedRow,
  command,
  ended,
  failedRow,
  job,
  pod,
  podUid,
  resourceUid,
  row,
  runningRow,
  situation,
  succeededRow,
} from './situation-fixtures.ts'
import type { Situation } from './situation.ts'
import { shownStatus } from './status/shown-status.ts'

function kinds(changes: Partial<Situation>): string[] {
  return reconcile(situation(changes)).actions.map(({ kind }) => kind)
}

function actionOf<K extends Action['kind']>(
  changes: Partial<Situation>,
  kind: K,
): Extract<Action, { kind: K }> {
  const found = reconcile(situation(changes)).actions.find(
    (action): action is Extract<Action, { kind: K }> => action.kind === kind,
  )
  if (found === undefined) throw new Error(`no ${kind} among ${kinds(changes).join(', ')}`)
  return found
}

const succeededPod = pod({
  phase: 'Succeeded',
  transfer: ended(0, 'Completed'),
  ffmpeg: ended(0, 'Completed'),
})

describe('reconcile', () => {
  describe('before a Job', () => {
    it('adopts a custom resource whose UID dispatch did not live to write down', () => {
      expect(kinds({ row: row({ resourceUid: null }) })).to.deep.equal(['adoptResource'])
    })

    it('adopts a resource that was deleted and made again under the same name', () => {
      expect(kinds({ row: row({ resourceUid: 'an earlier one' }) })).to.deep.equal([
        'undispatch',
        'adoptResource',
      ])
    })

    it('rejects a stranger under the name of a row and leaves the row alone', () => {
      const stranger = command({ specHash: 'something else', recordFinalizer: false })
      const actions = kinds({ row: row({ resourceUid: null }), command: stranger })
      expect(actions).to.deep.equal(['showStatus'])
    })

    it('does nothing about a row that dispatch has not reached', () => {
      expect(kinds({ row: row({ resourceUid: null }), command: null })).to.deep.equal([])
    })

    it('imports an object applied with kubectl', () => {
      expect(kinds({ row: null, command: command({ origin: 'applied' }) })).to.deep.equal([
        'import',
      ])
    })

    it('imports a live object whose row a restored database does not have', () => {
      expect(kinds({ row: null })).to.deep.equal(['import'])
    })

    it('lets an object go that was deleted before its import', () => {
      const deleted = command({ origin: 'applied', deleting: true })
      expect(kinds({ row: null, command: deleted })).to.deep.equal(['removeFinalizer'])
    })

    it('looks at a rejected object once', () => {
      const rejected = command({ origin: 'applied', shown: shownStatus({ reason: 'Rejected' }) })
      expect(kinds({ row: null, command: rejected })).to.deep.equal([])
    })

    it('never lets an id under a wrong name reach the row of that id', () => {
      const misnamed = command({ origin: 'misnamed', recordFinalizer: false })
      expect(kinds({ command: misnamed })).to.deep.equal(['showStatus'])
    })

    it('wakes the admission for a waiting command', () => {
      expect(kinds({})).to.deep.equal(['wakeAdmission', 'showStatus'])
    })

    it('creates the Job of an admitted command', () => {
      const { name } = actionOf({ row: admittedRow() }, 'createJob')
      expect(name).to.match(/^ffc-.*-1$/)
    })

    it('creates the Job again after a refusal for quota and shows the reason', () => {
      const refusal = {
        reason: 'QuotaForbidden',
        message: 'exceeded quota: pods',
        permanent: false,
      }
      expect(kinds({ row: admittedRow(), refusal })).to.deep.equal(['createJob', 'showStatus'])
      const { status } = actionOf({ row: admittedRow(), refusal }, 'showStatus')
      expect(status.reason).to.equal('QuotaForbidden')
    })

    it('ends a command whose Job the API server finds invalid', () => {
      const refusal = { reason: 'Invalid', message: 'spec.template', permanent: true }
      const { errorStatus } = actionOf({ row: admittedRow(), refusal }, 'commitFailure')
      expect(errorStatus).to.equal('INTERNAL_ERROR')
    })

    it('gives up when no runner came within the start allowance, with the reason of the pod', () => {
      const waiting = pod({ phase: 'Pending', unschedulable: '0/1 nodes are available' })
      const { errorStatus, message } = actionOf(
        { row: admittedRow({ secondsSinceRound: 601 }), jobs: [job()], pods: [waiting] },
        'commitFailure',
      )
      expect(errorStatus).to.equal('START_TIMEOUT')
      expect(message).to.equal('No runner started within 600 seconds: 0/1 nodes are available')
    })

    it('looks again when the start allowance ends', () => {
      const plan = reconcile(
        situation({ row: admittedRow({ secondsSinceRound: 590 }), jobs: [job()] }),
      )
      expect(plan.requeueAfterMs).to.equal(10_000)
    })
  })

  describe('while it runs', () => {
    it('only shows the status of a healthy run', () => {
      expect(kinds({ row: runningRow(), jobs: [job()], pods: [pod()] })).to.deep.equal([
        'showStatus',
      ])
    })

    it('cancels on a deletion timestamp', () => {
      const { errorStatus, attempt } = actionOf(
        { row: runningRow(), command: command({ deleting: true }), jobs: [job()], pods: [pod()] },
        'commitFailure',
      )
      expect({ errorStatus, attempt }).to.deep.equal({ errorStatus: 'CANCELLED', attempt: podUid })
    })

    it('cancels on spec.cancel and on the wish in the row', () => {
      for (const changes of [
        { row: row(), command: command({ cancel: true }) },
        { row: row({ cancelRequested: true }) },
      ]) {
        expect(actionOf(changes, 'commitFailure').errorStatus).to.equal('CANCELLED')
      }
    })

    it('asks the API server before it believes that a resource vanished', () => {
      expect(actionOf({ row: runningRow(), command: null }, 'confirm').what).to.equal('command')
    })

    it('has a vanished resource made again', () => {
      const confirmed = new Set(['command'] as const)
      const { resourceUid: uid } = actionOf(
        { row: runningRow(), command: null, confirmed },
        'undispatch',
      )
      expect(uid).to.equal(resourceUid)
    })

    it('asks the API server before it believes that an attempt vanished', () => {
      expect(actionOf({ row: runningRow(), jobs: [job()] }, 'confirm').what).to.equal('pods')
    })

    it('starts the next round when Job and pod were deleted by hand', () => {
      const { reason, charged, sameRound } = actionOf(
        { row: runningRow(), confirmed: new Set(['pods'] as const) },
        'loseAttempt',
      )
      expect({ reason, charged, sameRound }).to.deep.equal({
        reason: 'JobDeleted',
        charged: false,
        sameRound: false,
      })
    })

    it('never makes the Job of a running attempt again under its name', () => {
      const actions = kinds({ row: runningRow(), pods: [pod()] })
      expect(actions).to.deep.equal(['showStatus'])
    })

    it('leaves the Job to replace an evicted pod', () => {
      const evicted = pod({
        phase: 'Failed',
        disruption: 'EvictionByEvictionAPI',
        transfer: ended(31),
      })
      const { reason, charged, sameRound } = actionOf(
        { row: runningRow(), jobs: [job()], pods: [evicted] },
        'loseAttempt',
      )
      expect({ reason, charged, sameRound }).to.deep.equal({
        reason: 'Disrupted',
        charged: false,
        sameRound: true,
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
      const { reason, sameRound } = actionOf(
        { row: runningRow(), jobs: [complete], pods: [drained] },
        'loseAttempt',
      )
      expect({ reason, sameRound }).to.deep.equal({ reason: 'Disrupted', sameRound: false })
    })

    it('charges a crash of transfer and keeps the Job while its back-off limit allows', () => {
      const crashed = pod({ phase: 'Failed', transfer: ended(42), ffmpeg: ended(1) })
      const { reason, charged, sameRound } = actionOf(
        { row: runningRow(), jobs: [job()], pods: [crashed] },
        'loseAttempt',
      )
      expect({ reason, charged, sameRound }).to.deep.equal({
        reason: 'UnexpectedError',
        charged: true,
        sameRound: true,
      })
    })

    it('starts a new round after a code that fails the Job', () => {
      const killed = pod({ phase: 'Failed', transfer: ended(44), ffmpeg: ended(137) })
      const { reason, sameRound } = actionOf(
        { row: runningRow(), jobs: [job()], pods: [killed] },
        'loseAttempt',
      )
      expect({ reason, sameRound }).to.deep.equal({ reason: 'ContainerKilled', sameRound: false })
    })

    it('waits for a pod that terminates within its grace', () => {
      const terminating = pod({ deletion: { graceSeconds: 15 } })
      const plan = reconcile(
        situation({
          row: runningRow(),
          jobs: [job()],
          pods: [terminating],
          elapsed: { sinceFinal: 0, withoutPod: 0, podDeletion: new Map([[podUid, 10]]) },
        }),
      )
      expect(plan.actions.map(({ kind }) => kind)).to.deep.equal(['showStatus'])
      expect(plan.requeueAfterMs).to.equal(35_000)
    })

    it('loses the attempt on a dead node and goes on in a new round', () => {
      const onDeadNode = pod({
        deletion: { graceSeconds: 15 },
        disruption: 'DeletionByTaintManager',
      })
      const { reason, sameRound } = actionOf(
        {
          row: runningRow(),
          jobs: [job()],
          pods: [onDeadNode],
          elapsed: { sinceFinal: 0, withoutPod: 0, podDeletion: new Map([[podUid, 16]]) },
        },
        'loseAttempt',
      )
      expect({ reason, sameRound }).to.deep.equal({ reason: 'NodeLost', sameRound: false })
    })

    it('deletes the Job of an earlier round', () => {
      const { job: deleted } = actionOf(
        { row: admittedRow({ round: 2 }), jobs: [job({ round: 1 })] },
        'deleteJob',
      )
      expect(deleted.round).to.equal(1)
    })

    it('creates the Job of the next round while a lost pod still stands on its dead node', () => {
      const { name } = actionOf(
        { row: admittedRow({ round: 2, lostAttempts: [podUid] }), pods: [pod()] },
        'createJob',
      )
      expect(name).to.match(/-2$/)
    })

    it('never adopts and never touches a foreign Job under the name of the round', () => {
      const foreign = job({ ownerUid: 'somebody', specHash: null })
      const actions = kinds({ row: admittedRow(), jobs: [foreign] })
      expect(actions).to.deep.equal(['loseAttempt'])
    })

    it('leaves a pod that was told that another one holds the command', () => {
      const superseded = pod({ uid: 'second', phase: 'Failed', transfer: ended(30) })
      const actions = kinds({ row: runningRow(), jobs: [job()], pods: [pod(), superseded] })
      expect(actions).to.deep.equal(['showStatus'])
    })

    it('ends with the Job when its clock ran out, by what the runner was doing', () => {
      const late = job({ ending: { reason: 'DeadlineExceeded', message: '' } })
      const errors = (['DOWNLOADING', 'FFMPEG_PROCESSING', 'UPLOADING'] as const).map(
        (stage) =>
          actionOf({ row: runningRow({ stage }), jobs: [late] }, 'commitFailure').errorStatus,
      )
      expect(errors).to.deep.equal(['UNREACHABLE_INPUT_FILE', 'COMMAND_TIMEOUT', 'STORAGE_ERROR'])
    })

    it('commits the result that transfer left behind when the gateway was out of reach', () => {
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

    it('does not run again what a restored database has forgotten', () => {
      const shown = shownStatus({ state: 'SUCCESS', reason: 'Succeeded' })
      expect(kinds({ row: row(), command: command({ shown }) })).to.deep.equal([
        'recordShownOutcome',
      ])
    })
  })

  describe('after the outcome', () => {
    it('never creates anything', () => {
      for (const terminal of [
        succeededRow(),
        failedRow(),
        failedRow({ errorStatus: 'CANCELLED', attempt: null, round: 0, admitted: false }),
      ]) {
        for (const jobs of [[], [job()], [job({ deleting: true })]]) {
          expect(kinds({ row: terminal, jobs })).to.not.include('createJob')
        }
      }
    })

    it('shows the end and waits while the runner leaves', () => {
      const plan = reconcile(situation({ row: succeededRow(), jobs: [job()], pods: [pod()] }))
      expect(plan.actions.map(({ kind }) => kind)).to.deep.equal(['showStatus'])
      expect(plan.requeueAfterMs).to.equal(5_000)
    })

    it('stops a runner that has not left after a minute', () => {
      const elapsed = { sinceFinal: 61, withoutPod: 0, podDeletion: new Map<string, number>() }
      expect(kinds({ row: succeededRow(), jobs: [job()], pods: [pod()], elapsed })).to.deep.equal([
        'deleteJob',
        'showStatus',
      ])
    })

    it('releases the quota and lets the Job expire once its pod has ended', () => {
      const actions = kinds({ row: succeededRow(), jobs: [job()], pods: [succeededPod] })
      expect(actions).to.deep.equal(['showStatus', 'releaseQuota', 'setJobTtl'])
    })

    it('keeps the Job of a failed command longer', () => {
      const failed = pod({ phase: 'Failed', transfer: ended(23), ffmpeg: ended(0) })
      const { seconds } = actionOf({ row: failedRow(), jobs: [job()], pods: [failed] }, 'setJobTtl')
      expect(seconds).to.equal(600)
    })

    it('sets the time to live once', () => {
      const actions = kinds({
        row: succeededRow({ released: true }),
        jobs: [job({ ttlSeconds: 60 })],
        pods: [succeededPod],
      })
      expect(actions).to.deep.equal(['showStatus'])
    })

    it('stops the Job of a cancelled command at once and holds the quota until its pod is gone', () => {
      const cancelled = failedRow({ errorStatus: 'CANCELLED' })
      expect(kinds({ row: cancelled, jobs: [job()], pods: [pod()] })).to.deep.equal([
        'deleteJob',
        'showStatus',
      ])
      expect(
        kinds({ row: cancelled, pods: [pod({ deletion: { graceSeconds: 15 } })] }),
      ).to.deep.equal(['showStatus'])
      expect(kinds({ row: cancelled, confirmed: new Set(['pods'] as const) })).to.deep.equal([
        'showStatus',
        'releaseQuota',
      ])
    })

    it('asks the API server before it believes that no pod is left', () => {
      const actions = kinds({ row: failedRow({ errorStatus: 'CANCELLED' }) })
      expect(actions).to.deep.equal(['showStatus', 'confirm'])
    })

    it('stops a Job that would start one more pod after an end decided from facts', () => {
      const evicted = pod({ phase: 'Failed', reason: 'Evicted', transfer: ended(31) })
      const full = failedRow({ errorStatus: 'DISK_FULL' })
      const crashed = pod({ phase: 'Failed', transfer: ended(42) })
      expect(kinds({ row: full, jobs: [job()], pods: [evicted] })).to.not.include('deleteJob')
      expect(kinds({ row: full, jobs: [job()], pods: [crashed] })).to.include('deleteJob')
    })

    it('stops a Job whose pod never started', () => {
      const late = failedRow({ errorStatus: 'START_TIMEOUT', attempt: null, attempts: 0 })
      expect(kinds({ row: late, jobs: [job()], pods: [pod({ phase: 'Pending' })] })).to.include(
        'deleteJob',
      )
    })

    it('frees the vCPUs of a lost pod that nobody can ask', () => {
      const lost = failedRow({ errorStatus: 'RUNNER_LOST', attempt: null, lostAttempts: [podUid] })
      expect(kinds({ row: lost, pods: [pod()] })).to.include('releaseQuota')
    })

    it('lets a deleted resource go only after the release', () => {
      const deleted = command({ deleting: true })
      const cancelled = failedRow({ errorStatus: 'CANCELLED' })
      expect(kinds({ row: cancelled, command: deleted, pods: [pod()] })).to.not.include(
        'removeFinalizer',
      )
      expect(
        kinds({ row: { ...cancelled, released: true, mirrored: true }, command: deleted }),
      ).to.deep.equal(['showStatus', 'removeFinalizer', 'markResourceDeleted'])
    })

    it('does not run a resource of another time: its Job goes, the outcome is shown', () => {
      const actions = kinds({
        row: failedRow({ errorStatus: 'CANCELLED', released: true, mirrored: true }),
        command: command({ shown: shownStatus({ state: 'PROCESSING' }) }),
        jobs: [job()],
        pods: [pod()],
      })
      expect(actions).to.deep.equal(['deleteJob', 'showStatus'])
    })

    it('closes the books of a command whose resource is gone', () => {
      const actions = kinds({
        row: succeededRow(),
        command: null,
        pods: [succeededPod],
        confirmed: new Set(['command'] as const),
      })
      expect(actions).to.deep.equal(['markMirrored', 'releaseQuota', 'markResourceDeleted'])
    })
  })
})
