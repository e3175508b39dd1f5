import { expect } from 'chai'
import openapi from '../openapi/openapi.json' with { type: 'json' }
import { failures } from './failures.ts'

describe('the kinds of failure', () => {
  const { description, enum: names } = openapi.components.schemas.ErrorStatus

  it("failures are those of the API's description, in its order", () => {
    expect(names).to.deep.equal(Object.keys(failures))
  })

  for (const [name, { sentence, remedy }] of Object.entries(failures)) {
    it(`the API description has ${name} with its meaning and its remedy`, () => {
      expect(description).to.contain(`- \`${name}\`: ${sentence}. ${remedy}`)
    })
  }

  it('what the API description says of a used-up quota serves both quotas', () => {
    const { sentence, remedy } = failures.QUOTA_EXCEEDED
    expect(sentence).to.not.match(/storage|processing/)
    expect(remedy).to.match(/files.*storage quota.*next month.*processing quota/)
  })
})
