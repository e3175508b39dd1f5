import { expect } from 'chai'
import { newId, commitOf, failed, lossOf } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeSweep(session: Session): void {
  describe('the sweep', () => {
    const { store, age, run } = session

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
      await age(601)
      expect(await sweepable(commandId)).to.deep.equal([
        {
          commandId,
          accountId: session.accountId,
          attempt: pod,
          prefix: `public/${session.accountId}/${commandId}/${pod}/`,
          uploads: [upload],
        },
      ])
      await store.markSwept(commandId, pod)
      expect(await sweepable(commandId)).to.deep.equal([])
      expect(await store.findUpload(pod, 'k')).to.equal(null)
    })

    it('returns a lost attempt once more a day after its sweep, and a failed one never', async () => {
      const [lost, failing] = [newId(), newId()]
      const lostCommand = await run(lost)
      await store.loseAttempt(lossOf(lostCommand, { attempt: lost }))
      const failedCommand = await run(failing)
      await store.commitOutcome(commitOf(failedCommand, failing, failed('FFMPEG_FAILED')))
      await age(601)
      const { due } = await store.sweepBacklog({ olderThanSeconds: 600 })
      await store.markSwept(lostCommand, lost)
      await store.markSwept(failedCommand, failing)
      expect(await store.sweepBacklog({ olderThanSeconds: 600 })).to.include({ due: due - 2 })
      await age(86_400)
      expect(await sweepable(lostCommand)).to.deep.equal([])
      await age(601)
      expect(await sweepable(lostCommand)).to.have.length(1)
      expect(await sweepable(failedCommand)).to.deep.equal([])
      await store.markSwept(lostCommand, lost)
      await age(200_000)
      expect(await sweepable(lostCommand)).to.deep.equal([])
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
      await age(601)
      expect(await sweepable(failedCommand)).to.deep.equal([
        {
          commandId: failedCommand,
          accountId: session.accountId,
          attempt: failing,
          prefix: `private/${session.accountId}/${failedCommand}/${failing}/`,
          uploads: [],
        },
      ])
      expect(await sweepable(won)).to.deep.equal([
        {
          commandId: won,
          accountId: session.accountId,
          attempt: winning,
          prefix: null,
          uploads: [upload],
        },
      ])
      expect(await sweepable(clean)).to.deep.equal([])
    })

    it('returns a postponed attempt again after 30 s, then after twice that time', async () => {
      const pod = newId()
      const commandId = await run(pod)
      await store.commitOutcome(commitOf(commandId, pod, failed('FFMPEG_FAILED')))
      await store.postponeSweep(commandId, 'no such pod')
      await age(601)
      const before = await store.sweepBacklog({ olderThanSeconds: 600 })
      expect(await sweepable(commandId)).to.have.length(1)
      await store.postponeSweep(commandId, pod)
      expect(await sweepable(commandId)).to.deep.equal([])
      const after = await store.sweepBacklog({ olderThanSeconds: 600 })
      expect(after).to.include({ due: before.due - 1, failing: before.failing + 1 })
      expect(after.oldestSeconds).to.be.at.least(1)
      await age(31)
      expect(await sweepable(commandId)).to.have.length(1)
      await store.postponeSweep(commandId, pod)
      await age(31)
      expect(await sweepable(commandId)).to.deep.equal([])
      await age(30)
      expect(await sweepable(commandId)).to.have.length(1)
      await store.markSwept(commandId, pod)
      await store.postponeSweep(commandId, pod)
      expect(await store.sweepBacklog({ olderThanSeconds: 600 })).to.include({
        due: before.due - 1,
        failing: before.failing,
      })
    })
  })
}
