import { expect } from 'chai'
import type { Progress } from '../../common/store/attempts.ts'
import { queuedStep, progressOf, commitOf, failed } from './fixtures.ts'
import type { Session } from './session.ts'

export function describeProgress(session: Session): void {
  describe('progress', () => {
    const { store, run, row } = session

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

    it('returns the outcome to an attempt that reports after the end', async () => {
      const commandId = await run('pod-1')
      await store.commitOutcome(commitOf(commandId, 'pod-1', failed('DISK_FULL')))
      expect(await store.storeProgress(progressOf(commandId, 'pod-1'))).to.deep.equal({
        kind: 'final',
        status: 'FAILED',
        errorStatus: 'DISK_FULL',
      })
    })
  })
}
