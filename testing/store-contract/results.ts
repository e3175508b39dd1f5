import { expect } from 'chai'
import type { ShownOutcome } from '../../common/store/attempts.ts'
import { commitOf, failed, lossOf, newFile, newId, queuedStep } from './fixtures.ts'
import type { Session } from './fixtures.ts'

const finishedAt = '2026-01-02T03:04:05.678Z'

/** Row as a result object has it, of an attempt in generation 1. */
function shownOf(commandId: string, attempt: string) {
  return {
    commandId,
    attempt,
    jobGeneration: 1,
    attempts: 1,
    ffmpegRunSeconds: 2.5,
    finishedAt,
    processingBytes: 3_000,
    startedAt: '2026-01-02T03:04:00.000Z',
    steps: [{ ...queuedStep, status: 'SUCCESS' }],
    outcome: { status: 'SUCCESS', files: [newFile(commandId)] },
  } as const satisfies ShownOutcome
}

export function describeResults(session: Session): void {
  describe('ends that the database lost', () => {
    const { store, dispatch, submit, run, row } = session

    const sweepable = async (commandId: string) =>
      (await store.findSweepable({ olderThanSeconds: 0, limit: 100_000 })).filter(
        (each) => each.commandId === commandId,
      )

    it('results are read with submission and files once they are SUCCESS', async () => {
      const commandId = await run('pod-1')
      expect(await store.findResult(commandId)).to.equal(null)
      const file = newFile(commandId)
      await store.commitOutcome(commitOf(commandId, 'pod-1', { status: 'SUCCESS', files: [file] }))
      const found = await store.findResult(commandId)
      expect(found).to.deep.include({
        commandId,
        attempt: 'pod-1',
        round: 1,
        attempts: 1,
        files: [file],
        processingBytes: 3_000,
        ffmpegRunSeconds: 2.5,
      })
      expect(found?.submission).to.deep.include({ commandId, vcpuCount: 2 })
      const { createdAt } = await row(commandId)
      expect(found?.createdAt).to.equal(createdAt.toISOString())
    })

    it('lost ends are recorded again with the files and times that users were shown', async () => {
      const commandId = await run('pod-1')
      const shown = shownOf(commandId, 'pod-1')
      expect(await store.restoreOutcome(shown)).to.equal('restored')
      const record = await store.findCommand(session.accountId, commandId)
      expect(record).to.deep.include({
        status: 'SUCCESS',
        progressPercent: 100,
        stage: null,
        errorStatus: null,
        steps: shown.steps,
        ffmpegRunSeconds: 2.5,
        processingBytes: 3_000,
      })
      expect(record?.finishedAt?.getTime()).to.equal(Date.parse(finishedAt))
      const [file] = shown.outcome.files
      expect(record?.files).to.have.length(1)
      expect(record?.files[0]).to.deep.include({ ...file, commandId, deletedAt: null })
      expect(await sweepable(commandId)).to.deep.equal([])
    })

    it('restored ends give each file the lifetime of presigned URLs that its submission requests', async () => {
      const lifetimes = async (commandId: string) =>
        (await store.findCommand(session.accountId, commandId))?.files.map(
          ({ presignedTtlSeconds }) => presignedTtlSeconds,
        )
      for (const presignedTtlSeconds of [3_600, null]) {
        const pods = [newId(), newId()] as const
        const committed = await run(pods[0], { isPrivate: true, presignedTtlSeconds })
        const files = [newFile(committed)]
        await store.commitOutcome(commitOf(committed, pods[0], { status: 'SUCCESS', files }))
        expect(await lifetimes(committed)).to.deep.equal([presignedTtlSeconds])
        const lost = await run(pods[1], { isPrivate: true, presignedTtlSeconds })
        expect(await store.restoreOutcome(shownOf(lost, pods[1]))).to.equal('restored')
        expect(await lifetimes(lost)).to.deep.equal([presignedTtlSeconds])
      }
    })

    it('lost ends are recorded again when admission and claim were lost with them', async () => {
      const commandId = await dispatch()
      expect(await store.restoreOutcome(shownOf(commandId, 'pod-1'))).to.equal('restored')
      expect(await row(commandId)).to.deep.include({
        status: 'SUCCESS',
        attempt: 'pod-1',
        attempts: 1,
        jobGeneration: 1,
        admitted: true,
        released: false,
      })
      expect(await store.releaseQuota(commandId)).to.equal(true)
    })

    it('restored ends win over an attempt that began since, whose objects are swept', async () => {
      const [first, second] = [newId(), newId()]
      const commandId = await run(first)
      await store.loseAttempt(lossOf(commandId, { attempt: first }))
      await store.claimAttempt({ commandId, jobGeneration: 2, podUid: second })
      expect(await sweepable(commandId)).to.have.length(1)
      expect(await store.restoreOutcome(shownOf(commandId, first))).to.equal('restored')
      expect(await row(commandId)).to.deep.include({
        status: 'SUCCESS',
        attempt: first,
        attempts: 2,
        jobGeneration: 2,
        lostAttempts: [],
      })
      expect((await sweepable(commandId)).map(({ attempt }) => attempt)).to.deep.equal([second])
      const late = await store.commitOutcome(commitOf(commandId, second))
      expect(late).to.deep.include({ kind: 'final', attempt: first })
    })

    it('lost ends do not replace another end, and need the row and the objects', async () => {
      const ended = await run('pod-1')
      await store.commitOutcome(commitOf(ended, 'pod-1', failed('FFMPEG_FAILED')))
      expect(await store.restoreOutcome(shownOf(ended, 'pod-1'))).to.equal('final')
      expect((await row(ended)).errorStatus).to.equal('FFMPEG_FAILED')
      expect(await store.restoreOutcome(shownOf(newId(), 'pod-1'))).to.equal('absent')
      const swept = await run('pod-2')
      await store.loseAttempt(lossOf(swept, { attempt: 'pod-2' }))
      await store.markSwept(swept, 'pod-2')
      expect(await store.restoreOutcome(shownOf(swept, 'pod-2'))).to.equal('swept')
      expect((await row(swept)).status).to.equal('PROCESSING')
    })

    it('lost ends are recorded as FAILED when that was shown, with or without an attempt', async () => {
      const [waiting, running] = [await submit(), await run('pod-1')]
      const outcome = failed('CANCELLED')
      const none = {
        ...shownOf(waiting, ''),
        attempt: null,
        jobGeneration: 0,
        attempts: 0,
        outcome,
      }
      expect(await store.restoreOutcome(none)).to.equal('restored')
      expect(await row(waiting)).to.deep.include({
        ...outcome,
        attempt: null,
        admitted: false,
        released: true,
        jobGeneration: 0,
      })
      const shown = shownOf(running, 'pod-1')
      expect(await store.restoreOutcome({ ...shown, outcome })).to.equal('restored')
      expect(await row(running)).to.deep.include({ ...outcome, attempt: 'pod-1', released: false })
      expect(await sweepable(running)).to.have.length(1)
    })

    it('restored ends fill the record of a stored file', async () => {
      const fileId = newId()
      const url = 'https://media.example/a.mov'
      await store.importFile({
        fileId,
        accountId: session.accountId,
        environmentName: null,
        url,
        isPrivate: false,
        resourceUid: newId(),
      })
      const file = newFile(fileId)
      const shown = { ...shownOf(fileId, 'pod-1'), outcome: { status: 'SUCCESS', files: [file] } }
      expect(await store.restoreOutcome(shown as ShownOutcome)).to.equal('restored')
      const { file: record, status } = await row(fileId)
      expect(status).to.equal('SUCCESS')
      expect(record).to.deep.include({ status: 'STORED', key: file.key, sizeBytes: 2_000 })
      expect((await store.findResult(fileId))?.files[0]).to.deep.include({ key: file.key })
    })

    it('lost ends are looked for once under each history of the database', async () => {
      const { current } = await store.readHistory()
      expect(current).to.match(/./)
      await store.recordCompared('earlier')
      expect(await store.readHistory()).to.deep.equal({ current, compared: 'earlier' })
      await store.recordCompared(current)
      expect(await store.readHistory()).to.deep.equal({ current, compared: current })
    })
  })
}
