import { expect } from 'chai'
import { accountName, accountWords } from './account-words.ts'

describe('the words of an account', () => {
  const studio = { account: 'studio', plan: 'pro' }

  it('accountName returns the name of the account, or its plan when the service does not name it', () => {
    expect(accountName(studio)).to.equal('studio')
    expect(accountName({ plan: 'pro' })).to.equal('plan pro')
  })

  it('accountWords returns account and plan without what the name of the profile says', () => {
    expect(accountWords(studio, 'prod')).to.equal('studio · plan pro')
    expect(accountWords(studio, 'studio')).to.equal('plan pro')
    expect(accountWords({ plan: 'pro' }, 'prod')).to.equal('plan pro')
    expect(accountWords({ plan: 'pro' }, 'plan pro')).to.equal('')
  })
})
