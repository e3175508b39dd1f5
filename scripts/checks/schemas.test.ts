import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { variables as apiServerVariables } from '../../api-server/settings.ts'
import messages from '../../common/gateway/messages.schema.json' with { type: 'json' }
import { variables as operatorVariables } from '../../operator/settings.ts'

/** The programs trust these schemas (`quickAjv`). */
const schemas = {
  'settings of the API server': { properties: apiServerVariables },
  'settings of the operator': { properties: operatorVariables },
  'messages of the gateway': messages,
}

describe('the schemas of the programs', () => {
  const ajv = new Ajv2020()

  for (const [name, schema] of Object.entries(schemas)) {
    it(`fit the meta-schema: ${name}`, () => {
      expect(ajv.validateSchema(schema), ajv.errorsText()).to.equal(true)
    })
  }

  it('would not fit it with a wrong keyword', () => {
    const wrong = { properties: { CLOUD_FFMPEG_PORT: { type: 'integr' } } }
    expect(ajv.validateSchema(wrong)).to.equal(false)
  })
})
