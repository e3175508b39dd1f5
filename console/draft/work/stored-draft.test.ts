import { expect } from 'chai'
import fc from 'fast-check'
import { anyDraft } from '../any-draft.fixture.ts'
import { emptyDraft, requestOf, usualOptions } from '../draft.ts'
import { draftIn } from './stored-draft.ts'

describe('a stored draft', () => {
  it('draftIn returns the draft that was stored, for any draft', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        expect(draftIn(JSON.stringify(draft))).to.deep.equal(draft)
      }),
    )
  })

  it('draftIn returns the empty draft when nothing was stored, or the text is not a draft', () => {
    const { options: _, ...older } = emptyDraft
    const unreadable = [
      { ...emptyDraft, inputs: {} },
      { ...emptyDraft, commands: 'x' },
      { ...emptyDraft, outputs: 'OUTPUT_FOLDER' },
      older,
      [emptyDraft],
      7,
    ].map((value) => JSON.stringify(value))
    for (const text of [null, '', '{', 'null', ...unreadable]) {
      expect(draftIn(text), String(text)).to.equal(emptyDraft)
    }
  })

  it('draftIn gives an option its default when the console that stored the draft did not have it', () => {
    const { webhookUrl: _, priority: __, ...options } = { ...usualOptions, vcpus: '4' }
    const draft = draftIn(JSON.stringify({ ...emptyDraft, options }))
    expect(draft.options).to.deep.equal({ ...usualOptions, vcpus: '4' })
    expect(requestOf(draft)).to.include({ vcpu_count: 4 }).and.not.have.property('webhook_url')
  })
})
