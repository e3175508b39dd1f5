import { expect } from 'chai'
import { field, refusalOf } from '../checked-call.fixture.ts'
import {
  abort,
  complete,
  uploaded,
  useFilesApp,
  workOn,
  notOpen,
} from '../../testing/support/api/files.ts'

describe('racing uploads', () => {
  const app = useFilesApp()

  for (const [name, callers] of [
    ['two completions', ['complete', 'complete']],
    ['a completion and an abort', ['complete', 'abort']],
    ['two aborts', ['abort', 'abort']],
    ['all of them', ['abort', 'complete', 'abort', 'complete', 'complete']],
  ] as const) {
    it(`racing uploads have one winner: ${name}`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const { fileId, parts } = await uploaded(app)
        const answers = await Promise.all(
          callers.map((caller) =>
            caller === 'complete' ? complete(app, fileId, parts) : abort(app, fileId),
          ),
        )
        const winners = answers.filter(({ status }) => status === 200)
        expect(winners).to.have.length(1)
        for (const answer of answers.filter((each) => !winners.includes(each))) {
          expect(refusalOf(answer).join()).to.match(notOpen)
        }
        const record = await app.call(`/v1/files/${fileId}`)
        expect(record.body).to.deep.equal(winners[0]?.body)
        const isAborted = field(record.body, 'status') === 'FAILED'
        expect(await workOn(app, fileId)).to.have.length(isAborted ? 0 : 1)
      }
    })
  }

  it('racing uploads wait for the call that completes, and continue when it fails', async () => {
    const { fileId, parts } = await uploaded(app)
    const { accountId } = app.account
    const claim = await app.store.claimCompletion({ accountId, fileId, claimSeconds: 30 })
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    const waiting = complete(app, fileId, parts)
    expect(await app.record(`/v1/files/${fileId}`)).to.include({ status: 'QUEUED' })
    await app.store.releaseCompletion(fileId, claim.claim)
    expect((await waiting).status).to.equal(200)
  })

  it('racing uploads stay deleted when they are deleted meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { fileId, parts } = await uploaded(app)
      const [completed, removed] = await Promise.all([
        complete(app, fileId, parts),
        app.remove(`/v1/files/${fileId}`),
      ])
      expect(removed.status).to.equal(204)
      expect([200, 404]).to.include(completed.status)
      const record = await app.call(`/v1/files/${fileId}`)
      expect(record.body).to.include({
        is_deleted: true,
        storage_url: null,
        status: 'FAILED',
        error_status: 'CANCELLED',
      })
      for (const work of await workOn(app, fileId)) expect(work).to.deep.equal({ cancelled: true })
    }
  })
})
