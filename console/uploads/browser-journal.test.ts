import { expect } from 'chai'
import { memoryJournal } from './browser-journal.ts'

describe('memoryJournal', () => {
  const facts = { sizeBytes: 10, modifiedMs: 1 }
  const session = { file_id: 'f', part_size: 5, upload_urls: ['a', 'b'], expires_at: '' }

  it('memoryJournal returns what was stored since an upload began, and null before it and once removed', async () => {
    const journal = memoryJournal()
    expect(await journal.read()).to.equal(null)
    await journal.begin(facts, session)
    await journal.stored(2, 'e')
    const begun = await journal.read()
    expect(begun).to.deep.include({ file: facts, session })
    expect([...(begun?.etags ?? [])]).to.deep.equal([[2, 'e']])
    await journal.remove()
    expect(await journal.read()).to.equal(null)
  })

  it('memoryJournal forgets the parts of a session when another one begins', async () => {
    const journal = memoryJournal()
    await journal.begin(facts, session)
    await journal.stored(1, 'e')
    await journal.begin(facts, { ...session, file_id: 'g' })
    expect((await journal.read())?.etags.size).to.equal(0)
  })
})
