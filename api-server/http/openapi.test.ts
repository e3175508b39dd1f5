import { expect } from 'chai'
import { dereference, documented, operation } from './openapi.ts'
import { createAjv } from './validate.ts'
import type { OperationId } from './openapi.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

const ajv = createAjv()

describe('openapi.json', () => {
  it('gives each call a name of its own', () => {
    const ids = documented.map(({ description }) => description['operationId'])
    expect(new Set(ids).size).to.equal(ids.length)
  })

  for (const { method, path, description } of documented) {
    const call = `${method.toUpperCase()} ${path}`
    const whole = dereference(description) as JsonObject

    it(`explains the call ${call}`, () => {
      expect(whole['summary']).to.be.a('string')
      expect(whole['tags']).to.have.length(1)
      for (const parameter of list(whole['parameters'])) {
        expect(parameter['description'], String(parameter['name'])).to.be.a('string')
      }
    })

    it(`openapi.json has a schema for requests of ${call} that JSON Schema allows`, () => {
      const { schema } = operation(description['operationId'] as OperationId)
      expect(() => ajv.compile(withoutDefaults(schema))).not.to.throw()
    })

    it(`shows ${call} by examples that fit its schemas`, () => {
      const bodies = [whole['requestBody'], ...Object.values(object(whole['responses']))]
      for (const [type, { schema, ...shown }] of bodies.flatMap(contentsOf)) {
        const examples = examplesOf(shown)
        const isAnything = JSON.stringify(schema) === '{"type":"object"}'
        if (!isAnything && type === 'application/json') expect(examples).not.to.have.length(0)
        const validate = ajv.compile(withoutDefaults(schema))
        for (const example of examples) {
          expect(validate(structuredClone(example)), ajv.errorsText(validate.errors)).to.equal(true)
        }
      }
    })
  }
})

/** Ajv does not support defaults below a choice and rejects such schemas. */
function withoutDefaults(schema: unknown): JsonObject {
  return object(
    JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
      key === 'default' ? undefined : value,
    ),
  )
}

function contentsOf(body: unknown): [string, JsonObject][] {
  return Object.entries(object(object(body)['content'])).map(([type, one]) => [type, object(one)])
}

function examplesOf(content: JsonObject): unknown[] {
  const many = Object.values(object(content['examples'])).map((one) => object(one)['value'])
  return 'example' in content ? [content['example'], ...many] : many
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : []
}

function object(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
