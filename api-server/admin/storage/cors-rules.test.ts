import { expect } from 'chai'
import { exampleOrigin, originMistake, ruleFor, withRule } from './cors-rules.ts'

describe('withRule', () => {
  const theirs = { ID: 'theirs', AllowedOrigins: ['https://a.example'], AllowedMethods: ['GET'] }
  const unnamed = { AllowedOrigins: ['*'], AllowedMethods: ['HEAD'] }

  it('keeps the other rules of the bucket in front', () => {
    const rule = ruleFor(['*'])
    expect(withRule([theirs, unnamed], rule)).to.deep.equal([theirs, unnamed, rule])
  })

  it('replaces the rule that an earlier call wrote', () => {
    const rules = withRule(withRule([theirs], ruleFor(['*'])), ruleFor(['https://b.example']))
    expect(rules).to.deep.equal([theirs, ruleFor(['https://b.example'])])
  })
})

describe('originMistake', () => {
  for (const origin of [
    '*',
    'https://app.example',
    'http://localhost:3000',
    'http://10.0.0.1:8080',
    'http://[::1]:8080',
    'https://*.example.com',
  ]) {
    it(`accepts the origin ${origin}`, () => {
      expect(originMistake(origin)).to.equal(null)
    })
  }

  for (const [text, mistake] of [
    ['https://app.example/', 'write https://app.example'],
    ['https://app.example/console', 'write https://app.example'],
    ['https://APP.example', 'write https://app.example'],
    ['https://app.example:443', 'write https://app.example'],
    ['https://user@app.example', 'write https://app.example'],
    ['https://*.*.example', 'more than one *'],
    ['app.example', 'neither https:// nor http://'],
    ['ftp://app.example', 'neither https:// nor http://'],
    ['', 'neither https:// nor http://'],
    ['null', 'neither https:// nor http://'],
  ] as const) {
    it(`refuses '${text}' and says what to write`, () => {
      expect(originMistake(text)).to.contain(mistake)
    })
  }
})

describe('exampleOrigin', () => {
  it('returns an origin that the pattern matches', () => {
    expect(['*', 'https://*.example.com', 'https://app.example'].map(exampleOrigin)).to.deep.equal([
      'https://any.example',
      'https://any.example.com',
      'https://app.example',
    ])
  })
})
