import { expect } from 'chai'
import { accountProblem } from './applied-accounts.ts'
import type { AppliedAccounts } from './applied-accounts.ts'

const accounts: AppliedAccounts = {
  defaultAccount: 'acme',
  allowed: ['default', 'video'],
  bindings: new Map([['team-a', ['umbrella']]]),
}

describe('accountProblem', () => {
  const cases: [string, string, boolean][] = [
    ['media', 'default', true],
    ['media', 'acme', true],
    ['media', 'video', true],
    ['media', 'umbrella', false],
    ['media', '*', false],
    ['team-a', 'umbrella', true],
    ['team-a', 'default', false],
    ['team-a', 'video', false],
  ]
  for (const [namespace, account, isAllowed] of cases) {
    it(`${isAllowed ? 'lets' : 'does not let'} an object in ${namespace} name ${account}`, () => {
      const problem = accountProblem(accounts, { namespace, account })
      expect(problem === null).to.equal(isAllowed)
    })
  }

  it('names the field, the namespace, the accounts that may be named, and who changes that', () => {
    expect(accountProblem(accounts, { namespace: 'media', account: 'umbrella' })).to.equal(
      "spec.account 'umbrella' may not be named by objects that are applied in namespace media: use one of acme, video; the administrator allows others by operator.appliedAccounts or accountPolicy.bindings of the chart",
    )
  })

  it('allows every account by *, and none by an empty list', () => {
    const of = (allowed: string[]) =>
      accountProblem({ ...accounts, allowed }, { namespace: 'media', account: 'umbrella' })
    expect(of(['*'])).to.equal(null)
    expect(of([])).to.include('submit it by the REST API')
  })
})
