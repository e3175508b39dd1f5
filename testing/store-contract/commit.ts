import { expect } from 'chai'
import {
  newId,
  source,
  newFile,
  commitOf,
  failed,
  lossOf,
  queuedStep,
  progressOf,
} from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeCommit(session: Session): void {
  describe('the commit', () => {
    const { store, dispatch, run, row } = session

    it('records outcome, usage and files together', async () => {
      const commandId = await run('pod-1')
      const file = newFile(commandId)
      const commit = commitOf(commandId, 'pod-1', { status: 'SUCCESS', files: [file] })
      expect(await store.commitOutcome(commit)).to.deep.equal({ kind: 'committed' })
      const record = await store.findCommand(session.accountId, commandId)
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
        first: [{ alias: file.alias, key: file.key }],
      })
      expect(await store.findStoredObject(session.accountId, file.key)).to.deep.equal({
        name: 'o.mp4',
      })
      expect(await store.findStoredObject(newId(), file.key)).to.equal(null)
    })

    it('keeps files in the order of the result', async () => {
      const commandId = await run('pod-1')
      const files = ['c', 'a', 'b'].map((name) => newFile(commandId, `${name}.mp4`))
      await store.commitOutcome(commitOf(commandId, 'pod-1', { status: 'SUCCESS', files }))
      const record = await store.findCommand(session.accountId, commandId)
      expect(record?.files.map((file) => file.key)).to.deep.equal(files.map((file) => file.key))
    })

    it('returns the first ten files and the number of all', async () => {
      const commandId = await run('pod-1')
      const files = Array.from({ length: 12 }, (_, index) => ({
        ...newFile(commandId, `${index}.mp4`),
        alias: `out_${index}`,
      }))
      await store.commitOutcome(commitOf(commandId, 'pod-1', { status: 'SUCCESS', files }))
      expect((await row(commandId)).outputs).to.deep.equal({
        count: 12,
        bytes: 24_000,
        first: files.slice(0, 10).map(({ alias, key }) => ({ alias, key })),
      })
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
      expect((await store.findCommand(session.accountId, commandId))?.files).to.have.length(1)
    })

    it('ends a command once, with any number of writers', async () => {
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

    it('the record of a command says who requested its end first', async () => {
      const cancelledBy = async (commandId: string) =>
        (await store.findCommand(session.accountId, commandId))?.cancelledBy
      const end = (commandId: string, attempt: string | null, by: string | null) =>
        store.commitOutcome({
          ...commitOf(commandId, attempt, failed('CANCELLED')),
          cancelledBy: by,
        })
      const running = await run('pod-1')
      await store.requestCancel(running, 'key cff_AbCd')
      await store.requestCancel(running, 'administrator')
      await end(running, 'pod-1', 'deletion of the object')
      expect(await cancelledBy(running)).to.equal('key cff_AbCd')
      const queued = await session.submit()
      expect(await cancelledBy(queued)).to.equal(null)
      await end(queued, null, 'administrator')
      await store.requestCancel(queued, 'key cff_AbCd')
      expect(await cancelledBy(queued)).to.equal('administrator')
    })

    it('refuses the report of another generation', async () => {
      const commandId = await run('pod-1')
      const commit = commitOf(commandId, 'pod-1')
      expect(await store.commitOutcome({ ...commit, jobGeneration: 2 })).to.deep.equal({
        kind: 'superseded',
      })
      expect(await store.commitOutcome({ ...commit, jobGeneration: 1 })).to.deep.equal({
        kind: 'committed',
      })
    })

    it('closes the steps of a run without a report', async () => {
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
      expect(await store.findCommand(session.accountId, commandId)).to.deep.include({
        ffmpegRunSeconds: 4,
        processingBytes: 0,
      })
    })

    it('releases at once what was never admitted', async () => {
      const commandId = await dispatch()
      await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
      expect((await row(commandId)).released).to.equal(true)
    })

    it('stores text that Postgres would refuse', async () => {
      const commandId = await run('pod-1')
      const outcome = { ...failed('FFMPEG_FAILED'), errorMessage: 'bad \0 and \ud83d title' }
      await store.commitOutcome({
        ...commitOf(commandId, 'pod-1', outcome),
        logs: [{ step: 0, sequence: 0, text: 'bad \0 and \ud83d title' }],
      })
      expect((await row(commandId)).status).to.equal('FAILED')
    })
  })
}
