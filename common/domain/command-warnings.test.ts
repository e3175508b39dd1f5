import { expect } from 'chai'
import openapi from '../openapi/openapi.json' with { type: 'json' }
import { warningMeanings } from './command-warnings.ts'

describe('the kinds of warning', () => {
  const { description, enum: names } = openapi.components.schemas.CommandWarning.properties.code

  it("warnings are those of the API's description, in its order and with their meaning", () => {
    expect(names).to.deep.equal(Object.keys(warningMeanings))
    for (const [name, meaning] of Object.entries(warningMeanings)) {
      expect(description).to.contain(`- \`${name}\`: ${meaning}.`)
    }
  })
})
