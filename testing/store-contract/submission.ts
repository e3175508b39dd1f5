import { expect } from 'chai'
import { commitOf, failed, newCommand, newId, queuedStep } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeSubmission(session: Session): void {
  describe('submission', () => {
    const { store, age, submit, dispatch, admit, row } = session

    /** @returns the id of work on a stored file, dispatched */
    const fileWork = async () => {
      const fileId = newId()
      const { accountId } = session
      const file = { fileId, accountId, environmentName: null, isPrivate: false }
      const url = 'https://media.example/a.mov'
      await store.importFile({ ...file, url, resourceUid: `uid-${fileId}` })
      return fileId
    }

    it('names the newest submission of each account and size within the time, also of what has ended', async () => {
      const { accountId } = session
      const submissions = async (withinSeconds: number) =>
        (await store.findSubmissions({ withinSeconds }))
          .filter((each) => each.accountId === accountId)
          .map(({ vcpuCount, secondsAgo }) => [vcpuCount, Math.floor(secondsAgo / 60)])
          .toSorted(([a = 0], [b = 0]) => a - b)
      const ended = await dispatch({ vcpuCount: 8 })
      await store.commitOutcome(commitOf(ended, null, failed('CANCELLED')))
      await fileWork()
      await age(1_000)
      await dispatch({ vcpuCount: 2 })
      await age(200)
      await dispatch({ vcpuCount: 2 })
      await submit({ vcpuCount: 4 })
      await age(60)
      expect(await submissions(1_800)).to.deep.equal([
        [0, 21],
        [2, 1],
        [8, 21], // minutes since each
      ])
      expect(await submissions(600)).to.deep.equal([[2, 1]])
      expect(await submissions(30)).to.deep.equal([])
      const file = await fileWork()
      await store.commitOutcome(commitOf(file, null, failed('CANCELLED')))
      expect(await submissions(30)).to.deep.equal([[0, 0]])
    })

    it('reads back what was submitted, in the order it was written', async () => {
      const command = {
        ...newCommand(session.accountId),
        metadata: { zebra: 1, a: true },
        originalRequest: { output_files: { out_10: 'a.mp4', out_2: 'b.mp4' } },
      }
      await store.insertCommands([command])
      const record = await store.findCommand(session.accountId, command.commandId)
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

    it('the record of a command says which key submitted it, and null where none did', async () => {
      const { accountId } = session
      const sha256 = Buffer.alloc(32, newId())
      await store.ensureApiKey({ accountId, sha256, environmentName: null })
      const submittedBy = async (submittedKeyId: string | null) => {
        const commandId = await submit({ submittedKeyId })
        return (await store.findCommand(accountId, commandId))?.submittedBy
      }
      expect(await submittedBy((await store.findKey(sha256))?.keyId ?? '')).to.deep.equal({
        prefix: null,
        label: null,
      })
      expect(await submittedBy(null)).to.equal(null)
      expect(await submittedBy(newId())).to.equal(null)
    })

    it('reads back the priority, of imported commands too', async () => {
      const high = await submit({ priority: 'high' })
      const low = { ...newCommand(session.accountId), priority: 'low' as const }
      await store.importCommand({ ...low, resourceUid: newId() })
      expect((await store.findCommand(session.accountId, high))?.priority).to.equal('high')
      expect((await row(low.commandId)).priority).to.equal('low')
    })

    it('keeps priority and place of a command that was submitted long before its import', async () => {
      const ids = []
      for (const [priority, submittedAt] of [
        ['normal', '2026-01-02T03:04:05.000Z'],
        ['high', '2026-01-02T03:04:06.000Z'],
      ] as const) {
        const command = { ...newCommand(session.accountId), priority, submittedAt }
        await store.importCommand({ ...command, resourceUid: newId() })
        expect((await row(command.commandId)).priority).to.equal(priority)
        ids.push(command.commandId)
      }
      expect((await admit()).admitted).to.deep.equal(ids.toReversed())
    })

    it('keeps the first row when the same id comes again', async () => {
      const command = newCommand(session.accountId)
      await store.insertCommands([command, newCommand(session.accountId)])
      await store.insertCommands([{ ...command, vcpuCount: 9 }])
      expect((await row(command.commandId)).vcpuCount).to.equal(command.vcpuCount)
    })

    it('keeps one strange text from refusing the others of its statement', async () => {
      const strange = {
        ...newCommand(session.accountId),
        originalRequest: { a: '\0', b: '\ud800' },
      }
      const other = newCommand(session.accountId)
      await store.insertCommands([strange, other])
      const record = await store.findCommand(session.accountId, strange.commandId)
      expect(record?.originalRequest).to.deep.equal(strange.originalRequest)
      expect((await row(other.commandId)).status).to.equal('QUEUED')
    })

    it('hides a command from other accounts', async () => {
      const commandId = await submit()
      expect(await store.findCommand(newId(), commandId)).to.equal(null)
    })

    it('lists newest first, filtered before it is cut', async () => {
      const ids = [await submit(), await submit(), await submit()]
      const list = async (status: 'QUEUED' | 'FAILED' | null, limit: number, offset: number) =>
        (await store.listCommands({ accountId: session.accountId, status, limit, offset })).map(
          (c) => c.commandId,
        )
      expect(await list(null, 10, 0)).to.deep.equal(ids.toReversed())
      expect(await list('QUEUED', 1, 1)).to.deep.equal([ids[1]])
      expect(await list('FAILED', 10, 0)).to.deep.equal([])
    })
  })
}

export function describeImport(session: Session): void {
  describe('import', () => {
    const { store, admit, row } = session

    it('inserts once', async () => {
      const command = { ...newCommand(session.accountId), resourceUid: newId() }
      expect(await store.importCommand(command)).to.equal('inserted')
      expect(await store.importCommand(command)).to.equal('exists')
      expect(await row(command.commandId)).to.deep.include({
        status: 'QUEUED',
        resourceUid: command.resourceUid,
      })
    })

    it('records a refused command as failed, with nothing to admit or release', async () => {
      const command = {
        ...newCommand(session.accountId),
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
}
