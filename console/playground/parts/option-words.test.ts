import { expect } from 'chai'
import { usualOptions } from '../../draft/draft.ts'
import { lifetimesWith, optionWords } from './option-words.ts'

describe('options of the playground', () => {
  it('optionWords returns the chosen options in one line', () => {
    expect(optionWords(usualOptions)).to.equal('')
    const metadata = [
      ['order', 17],
      ['film', 'a'],
    ] as const
    expect(
      optionWords({ ...usualOptions, vcpus: '4', seconds: '60', isPrivate: true, metadata }),
    ).to.equal('4 vCPUs · limit 60 s · private · metadata: order, film')
  })

  it('lifetimesWith offers the lifetime of a request beside the usual ones, and each once', () => {
    const usual = lifetimesWith('').map(([seconds]) => seconds)
    expect(usual).to.deep.equal(['', '3600', '86400', '604800', '0'])
    expect(lifetimesWith('3600')).to.have.length(usual.length)
    expect(lifetimesWith('7200').at(-1)).to.deep.equal(['7200', '7200 s'])
  })
})
