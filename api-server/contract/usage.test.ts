import { expect } from 'chai'
import { pro, submission, useApp, runPath } from '../../testing/support/api/app.ts'
import { field, idOf, refusalOf } from '../checked-call.fixture.ts'
import { start, succeed } from '../../testing/support/api/outcomes.ts'

describe('what an account has used', () => {
  // One finished command of the fixtures uses 3 MB of processing and 1 MB of storage.
  const app = useApp({
    plans: { pro: { ...pro, storageMbytes: 1, maxFileMbytes: 0.25 } },
  })

  const submit = () => app.post(runPath, submission)
  const usage = async () => (await app.call('/v1/usage')).body

  /** Reservation of the command that runs. */
  const reserved = { reserved_mbytes: 0.25 }

  it('the usage of an account agrees with its records, fills its quota, and is freed by deletion', async () => {
    const ids: string[] = []
    for (let count = 0; count < 2; count += 1) {
      ids.push(idOf(await submit()))
    }
    const [done = '', running = ''] = ids
    await succeed(app, done)
    await start(app, running)
    const record = await app.record(`/v1/commands/${done}`)
    expect(await usage()).to.deep.include({
      processing: {
        used_mbytes: field(record, 'processing_quota_used'),
        limit_mbytes: null,
        ...reserved,
      },
      storage: { used_mbytes: 1, limit_mbytes: 1, ...reserved },
    })
    const why = '0.3 MB reserved by commands that have not ended'
    const full = [403, `Storage quota exceeded: 1 of 1 MB used, ${why}`]
    expect(refusalOf(await submit())).to.deep.equal(full)
    const removed = await app.remove(`/v1/commands/${done}/files`)
    expect(removed.status).to.equal(204)
    expect(await usage()).to.deep.include({
      processing: { used_mbytes: 3, limit_mbytes: null, ...reserved },
      storage: { used_mbytes: 0, limit_mbytes: 1, ...reserved },
    })
    expect((await submit()).status).to.equal(200)
  })
})
