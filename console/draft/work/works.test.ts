import { signal } from '@preact/signals'
import { expect } from 'chai'
import { aDraft } from '../any-draft.fixture.ts'
import { emptyDraft } from '../draft.ts'
import { createWorks } from './works.ts'
import type { Signal } from '@preact/signals'
import type { Draft } from '../draft.ts'
import type { Work } from './works.ts'

describe('drafts of the keys of a tab', () => {
  let stored: Map<string, string>
  let isMemoryOnly = false
  const profiles = signal([{ id: 'p1' }, { id: 'p2' }])
  /** The page as it is after it was loaded. */
  const load = () =>
    createWorks({
      profiles,
      isMemoryOnly: () => isMemoryOnly,
      storage: () => ({
        getItem: (name) => stored.get(name) ?? null,
        setItem: (name, text) => void stored.set(name, text),
        removeItem: (name) => void stored.delete(name),
      }),
    })
  const write = (work: Signal<Work>, draft: Draft) => {
    work.value = { ...work.value, draft }
  }
  const draft = aDraft({ commands: ['-i {{in_1}} {{out_1}}'] })
  beforeEach(() => {
    stored = new Map()
    isMemoryOnly = false
    profiles.value = [{ id: 'p1' }, { id: 'p2' }]
  })

  it('keeps a draft over a reload, for the key that it was written with alone', () => {
    write(load()('p1'), draft)
    const workOf = load()
    expect(workOf('p1').value.draft).to.deep.equal(draft)
    expect(workOf('p2').value.draft).to.deep.equal(emptyDraft)
  })

  it('returns the same draft of a key each time, so that it is not lost on the way to another page', () => {
    const workOf = load()
    write(workOf('p1'), draft)
    workOf('p1').value = { ...workOf('p1').value, runId: 'a' }
    expect(workOf('p1').value.draft).to.equal(draft)
    expect(workOf('p1').value.runId).to.equal('a')
  })

  it('removes the draft of a key when its profile is removed, and keeps the others', () => {
    const workOf = load()
    write(workOf('p1'), draft)
    write(workOf('p2'), draft)
    profiles.value = [{ id: 'p2' }]
    expect([...stored.keys()]).to.deep.equal(['cloud-ffmpeg.draft.p2'])
    expect(workOf('p2').value.draft).to.equal(draft)
  })

  it('stores no draft of a removed key again when a page that is still open changes it', () => {
    const work = load()('p1')
    write(work, draft)
    profiles.value = []
    write(work, aDraft({ commands: ['later'] }))
    expect([...stored.keys()]).to.deep.equal([])
  })

  it('stores no draft when stored files could read the storage of the page', () => {
    isMemoryOnly = true
    write(load()('p1'), draft)
    expect(stored.size).to.equal(0)
  })
})
