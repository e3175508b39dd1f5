import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import apiServer from '../../api-server/settings.schema.json' with { type: 'json' }
import messages from '../../common/gateway/messages.schema.json' with { type: 'json' }
import { sharedSchema } from '../../common/settings/settings-schema.ts'
import operator from '../../operator/settings.schema.json' with { type: 'json' }

/** The programs trust these schemas (`quickAjv`). */
const schemas = {
  'settings of both servers': sharedSchema,
  'settings of the API server': apiServer,
  'settings of the operator': operator,
  'messages of the gateway': messages,
}

describe('the schemas of the programs', () => {
  const ajv = new Ajv2020()

  for (const [name, schema] of Object.entries(schemas)) {
    it(`the schemas of the programs fit the meta-schema: ${name}`, () => {
      expect(ajv.validateSchema(schema), ajv.errorsText()).to.equal(true)
    })
  }

  it('a schema with a wrong keyword would not fit the meta-schema', () => {
    const wrong = { properties: { port: { type: 'integr' } } }
    expect(ajv.validateSchema(wrong)).to.equal(false)
  })
})
