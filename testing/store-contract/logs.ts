import { expect } from 'chai'
import { commitOf, failed, lossOf, newId, progressOf, queuedStep } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeLogs(session: Session): void {
  describe('messages of FFmpeg', () => {
    const { store, age, run } = session

    const chunk = (step: number, sequence: number) => ({
      step,
      sequence,
      text: `${step}.${sequence}\n`,
    })
    const report = (commandId: string, pod: string, ...logs: ReturnType<typeof chunk>[]) =>
      store.storeProgress({ ...progressOf(commandId, pod), logs })
    const texts = async (commandId: string) =>
      (await store.readLogs(commandId, null)).chunks.map(({ text }) => text.trim())
    const toStore = async (olderThanSeconds: number, ids: string[]) =>
      (await store.findLogsToStore({ olderThanSeconds, except: [], limit: 100_000 }))
        .map(({ commandId }) => commandId)
        .filter((id) => ids.includes(id))

    it('messages are read by step and sequence, and from where a reader is', async () => {
      const pod = newId()
      const commandId = await run(pod)
      expect(await store.readLogs(commandId, null)).to.deep.equal({ attempt: null, chunks: [] })
      await report(commandId, pod, chunk(0, 0), chunk(1, 1), chunk(0, 2), chunk(0, 2))
      expect(await texts(commandId)).to.deep.equal(['0.0', '0.2', '1.1'])
      expect(await store.readLogs(commandId, { attempt: pod, sequence: 0 })).to.deep.equal({
        attempt: pod,
        chunks: [chunk(0, 2), chunk(1, 1)].map((each) => ({ ...each, cutBytes: 0 })),
      })
      const behind = await store.readLogs(commandId, { attempt: pod, sequence: 2 })
      expect(behind).to.deep.equal({ attempt: null, chunks: [] })
    })

    it('the messages of a command are those of the newest attempt that wrote any', async () => {
      const [first, second] = [newId(), newId()]
      const commandId = await run(first)
      await report(commandId, first, chunk(0, 0))
      await store.loseAttempt(lossOf(commandId, { attempt: first, podUid: first }))
      await store.claimAttempt({ commandId, jobGeneration: 2, podUid: second })
      expect(await texts(commandId)).to.deep.equal(['0.0'])
      await report(commandId, first, chunk(0, 9))
      await report(commandId, second, chunk(0, 1))
      expect(await texts(commandId)).to.deep.equal(['0.1'])
      const read = await store.readLogs(commandId, { attempt: first, sequence: 5 })
      expect(read.attempt).to.equal(second)
    })

    it('the logs take none from an attempt that does not hold the command', async () => {
      const pod = newId()
      const commandId = await run(pod)
      await report(commandId, newId(), chunk(0, 0))
      await store.commitOutcome(commitOf(commandId, pod))
      await report(commandId, pod, chunk(0, 1))
      expect(await texts(commandId)).to.deep.equal([])
    })

    it('messages are dropped above 4,096 chunks of a step, except those of the result', async () => {
      const pod = newId()
      const commandId = await run(pod)
      for (let first = 0; first < 4_200; first += 100) {
        const chunks = Array.from({ length: 100 }, (_, index) => chunk(0, first + index))
        expect(await report(commandId, pod, ...chunks)).to.include({ kind: 'stored' })
      }
      await report(commandId, pod, chunk(1, 4_200))
      expect(await texts(commandId)).to.have.lengthOf(4_097)
      await store.commitOutcome({ ...commitOf(commandId, pod), logs: [chunk(0, 4_201)] })
      const kept = await texts(commandId)
      expect(kept.slice(4_095)).to.deep.equal(['0.4095', '0.4201', '1.4200'])
    })

    it('messages are refused with a report of other steps than the command has', async () => {
      const pod = newId()
      const commandId = await run(pod)
      const progress = { ...progressOf(commandId, pod), logs: [chunk(1, 0)] }
      const steps = [queuedStep, { ...queuedStep, index: 1 }]
      expect(await store.storeProgress({ ...progress, steps })).to.deep.equal({
        kind: 'other-steps',
        steps: 1,
      })
      expect(await store.storeProgress({ ...progress, steps, attempt: newId() })).to.deep.equal({
        kind: 'superseded',
      })
      expect(await texts(commandId)).to.deep.equal([])
    })

    it('messages are to be stored after the end, and go when they are', async () => {
      const pods = [newId(), newId(), newId()]
      const ids: string[] = []
      for (const pod of pods) {
        const commandId = await run(pod)
        ids.push(commandId)
        if (pod === pods[2]) continue
        await report(commandId, pod, chunk(0, 0))
        if (pod === pods[0])
          await store.commitOutcome(commitOf(commandId, pod, failed('CANCELLED')))
      }
      const [ended = ''] = ids
      expect(await toStore(5, ids)).to.deep.equal([])
      await age(6)
      expect(await toStore(5, ids)).to.deep.equal([ended])
      await store.recordLogObject(ended, { key: 'k', stepBytes: [4] })
      await store.recordLogObject(ended, { key: 'k', stepBytes: [4] })
      expect(await toStore(5, ids)).to.deep.equal([])
      expect(await texts(ended)).to.deep.equal([])
    })
  })
}
