import { expect } from 'chai'
import { commitOf, failed, lossOf, newFile, newId, progressOf } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeStoredFiles(session: Session): void {
  describe('the work on a stored file', () => {
    const { store, admit, row, changeFile } = session

    const stored = async (): Promise<string> => {
      const fileId = newId()
      const url = 'https://media.example/clip.mov'
      const file = {
        fileId,
        accountId: session.accountId,
        environmentName: null,
        url,
        isPrivate: false,
      }
      await store.importFile({ ...file, resourceUid: `uid-${fileId}` })
      return fileId
    }
    const claimed = async (podUid: string): Promise<string> => {
      const fileId = await stored()
      await admit()
      await store.claimAttempt({ commandId: fileId, jobGeneration: 1, podUid })
      return fileId
    }
    const statusOf = async (fileId: string) => (await row(fileId)).file?.status
    const success = (fileId: string, podUid: string) => {
      const file = {
        ...newFile(fileId),
        key: `public/${session.accountId}/${fileId}/${podUid}/clip.mov`,
      }
      return commitOf(fileId, podUid, { status: 'SUCCESS', files: [file] })
    }

    it('a stored file is imported once, and is not a command', async () => {
      const fileId = await stored()
      const { commandType, vcpuCount, source, steps, file } = await row(fileId)
      expect({ commandType, vcpuCount, steps }).to.deep.equal({
        commandType: 'STORED_FILE',
        vcpuCount: 0,
        steps: [],
      })
      expect(source.storedFile).to.deep.equal({ url: 'https://media.example/clip.mov' })
      expect(file).to.deep.include({ status: 'QUEUED', key: null, deleted: false })
      expect(
        await store.importFile({
          fileId,
          accountId: session.accountId,
          environmentName: null,
          isPrivate: false,
          url: 'https://media.example/other.mov',
          resourceUid: 'uid-2',
        }),
      ).to.equal('exists')
      expect(await store.findCommand(session.accountId, fileId)).to.equal(null)
      const list = { accountId: session.accountId, status: null, limit: 10, offset: 0 }
      expect(await store.listCommands(list)).to.deep.equal([])
    })

    it('the work on a stored file has no place in the queue, takes no vCPUs, and waits behind nothing', async () => {
      const large = await session.dispatch({ vcpuCount: 4 })
      const held = await session.run('pod-1', { vcpuCount: 4 })
      const waiting = await session.dispatch({ vcpuCount: 4 })
      const fileId = await stored()
      expect((await row(fileId)).queuePosition).to.equal(null)
      const before = (await row(waiting)).queuePosition
      const { admitted, vcpuInUse } = await admit(8, 0)
      expect(admitted).to.include(fileId)
      expect(vcpuInUse).to.equal(8)
      expect((await row(waiting)).queuePosition).to.equal(before)
      expect([large, held]).to.not.include(fileId)
    })

    it('moves the record from QUEUED over DOWNLOADING and DOWNLOADED to STORED', async () => {
      const fileId = await stored()
      await admit()
      expect(await statusOf(fileId)).to.equal('QUEUED')
      await store.claimAttempt({ commandId: fileId, jobGeneration: 1, podUid: 'pod-1' })
      expect(await statusOf(fileId)).to.equal('DOWNLOADING')
      const report = { ...progressOf(fileId, 'pod-1'), steps: [], logs: [] }
      await store.storeProgress({ ...report, stage: 'DOWNLOADING' })
      expect(await statusOf(fileId)).to.equal('DOWNLOADING')
      await store.storeProgress({ ...report, stage: 'UPLOADING' })
      expect(await statusOf(fileId)).to.equal('DOWNLOADED')
      const commit = success(fileId, 'pod-1')
      expect(await store.commitOutcome(commit)).to.deep.equal({ kind: 'committed' })
      const key = `public/${session.accountId}/${fileId}/pod-1/clip.mov`
      const { file, outputs, steps } = await row(fileId)
      expect(file).to.deep.include({ status: 'STORED', key, sizeBytes: 2_000, errorStatus: null })
      expect(outputs?.count).to.equal(0)
      expect(steps).to.be.an('array')
      expect(await store.findStoredObject(session.accountId, key)).to.deep.equal({
        name: 'clip.mov',
      })
      expect((await store.readUsage(session.accountId)).storedBytes).to.equal(2_000)
      expect((await store.readUsage(session.accountId)).processingBytes).to.equal(0)
    })

    it('the work on a file begins anew after a lost attempt, and sweeps what that one wrote', async () => {
      const fileId = await claimed('pod-1')
      const report = { ...progressOf(fileId, 'pod-1'), steps: [], logs: [] }
      await store.storeProgress({ ...report, stage: 'UPLOADING' })
      await store.loseAttempt(lossOf(fileId, { attempt: 'pod-1' }))
      await store.claimAttempt({ commandId: fileId, jobGeneration: 2, podUid: 'pod-2' })
      expect(await statusOf(fileId)).to.equal('DOWNLOADING')
      await store.commitOutcome(success(fileId, 'pod-1'))
      expect(await statusOf(fileId)).to.equal('DOWNLOADING')
      await store.commitOutcome(success(fileId, 'pod-2'))
      expect((await row(fileId)).file?.key).to.include('/pod-2/')
      const swept = await store.findSweepable({ olderThanSeconds: -1, limit: 100_000 })
      expect(swept.filter(({ commandId }) => commandId === fileId)).to.deep.equal([
        {
          commandId: fileId,
          accountId: session.accountId,
          attempt: 'pod-1',
          uploads: [],
          prefix: `public/${session.accountId}/${fileId}/pod-1/`,
        },
      ])
    })

    it('the work on a file fails with what a file can fail with', async () => {
      const gone = await claimed('pod-1')
      await store.commitOutcome(commitOf(gone, 'pod-1', failed('UNREACHABLE_INPUT_FILE')))
      expect((await row(gone)).file).to.deep.include({
        status: 'FAILED',
        errorStatus: 'UNREACHABLE_INPUT_FILE',
        errorMessage: 'because UNREACHABLE_INPUT_FILE',
      })
      const full = await claimed('pod-2')
      await store.commitOutcome(commitOf(full, 'pod-2', failed('DISK_FULL')))
      expect((await row(full)).file?.errorStatus).to.equal('INPUT_TOO_LARGE')
      const lost = await claimed('pod-3')
      await store.loseAttempt(lossOf(lost, { attempt: 'pod-3', maxAttempts: 1 }))
      expect((await row(lost)).file).to.deep.include({
        status: 'FAILED',
        errorStatus: 'RUNNER_LOST',
      })
    })

    it('leaves an upload UPLOADED and ends it STORED, however the analysis goes', async () => {
      const good = await claimed('pod-1')
      await changeFile(good, 'uploaded')
      expect(await store.findStoredObject(session.accountId, `uploads/${good}`)).to.not.equal(null)
      const report = { ...progressOf(good, 'pod-1'), steps: [], logs: [] }
      await store.storeProgress({ ...report, stage: 'UPLOADING' })
      expect(await statusOf(good)).to.equal('UPLOADED')
      await store.commitOutcome(success(good, 'pod-1'))
      expect((await row(good)).file).to.deep.include({
        status: 'STORED',
        key: `uploads/${good}`,
        sizeBytes: 77,
      })
      const bad = await claimed('pod-2')
      await changeFile(bad, 'uploaded')
      await store.commitOutcome(commitOf(bad, 'pod-2', failed('OUT_OF_MEMORY')))
      expect((await row(bad)).file).to.deep.include({
        status: 'STORED',
        errorStatus: null,
        errorMessage: null,
        fileType: null,
        key: `uploads/${bad}`,
      })
    })

    it('the work on a file stops with the deletion of its file, and never brings it back', async () => {
      const fileId = await claimed('pod-1')
      await changeFile(fileId, 'deleted')
      expect((await row(fileId)).cancelRequested).to.equal(true)
      const report = { ...progressOf(fileId, 'pod-1'), steps: [], logs: [] }
      const answer = await store.storeProgress({ ...report, stage: 'UPLOADING' })
      expect(answer).to.deep.equal({ kind: 'stored', cancel: true })
      const before = (await row(fileId)).file
      const commit = success(fileId, 'pod-1')
      expect(await store.commitOutcome(commit)).to.deep.equal({ kind: 'committed' })
      expect((await row(fileId)).file).to.deep.equal(before)
      expect((await store.readUsage(session.accountId)).storedBytes).to.equal(0)
      const swept = await store.findSweepable({ olderThanSeconds: -1, limit: 100_000 })
      expect(swept.find(({ commandId }) => commandId === fileId)?.prefix).to.equal(
        `public/${session.accountId}/${fileId}/pod-1/`,
      )
    })
  })
}
