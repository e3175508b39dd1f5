import { expect } from 'chai'
import fc from 'fast-check'
import { accountNameFrom, accountNamePattern, accountNamesFor } from './account-name.ts'

describe('account names', () => {
  const rows: [string, string | null][] = [
    ['Ada.Lovelace+media', 'ada-lovelace-media'],
    ['Zoë Müller', 'zoe-muller'],
    ['--__--', null],
    ['', null],
    ['日本', null],
    [`${'a'.repeat(39)}-${'b'.repeat(39)}`, 'a'.repeat(39)],
  ]
  for (const [text, name] of rows) {
    it(`makes ${name} of '${text}'`, () => expect(accountNameFrom(text)).to.equal(name))
  }

  it('account names are DNS labels for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (email, name) => {
        const names = accountNamesFor({ email, name }, Math.random)
        for (const one of names) expect(one).to.match(accountNamePattern)
        expect(new Set(names).size).to.equal(names.length)
      }),
    )
  })
})
