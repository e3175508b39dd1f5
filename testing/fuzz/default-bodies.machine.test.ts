import { expect } from 'chai'
import { dereference, documented } from '../../api-server/http/openapi.ts'
import { startApiServer } from './start-api-server.ts'
import type { JsonObject } from '../../common/json/json-object.ts'
import type { ApiServer } from './start-api-server.ts'

/** Calls whose default request is refused, with what only the user can fill in. */
const refused: Readonly<Record<string, readonly [status: number, lacking: string]>> = {
  'POST /v1/commands/{command_id}/cancel': [404, 'the id of a command'],
  'POST /v1/accounts/activate': [400, 'the token of a mail'],
  'POST /v1/files/{file_id}/complete-upload': [
    404,
    'the id of an upload and the ETags of its parts',
  ],
  'POST /v1/files/{file_id}/abort-upload': [404, 'the id of an upload'],
  'POST /v1/webhook/deliveries/{webhook_id}/redeliver': [404, 'the id of a delivery'],
  'POST /v1/keys': [403, 'the permission of the installation'],
  'POST /v1/files/bulk-delete': [404, 'ids of files'],
}

/** The docs page fills in the first example of a body, and the example of a header. */
describe('the docs page, whose default request is sent twice', function () {
  this.timeout(600_000)
  let server: ApiServer
  before(async () => {
    server = await startApiServer()
    // POST /v1/webhook/test needs one.
    await send('/v1/webhook', 'put', { url: 'https://app.example/hooks' })
  })
  after(() => server.stop())

  const calls = documented.filter(({ method }) => method === 'post' || method === 'put')

  for (const { method, path, description } of calls) {
    const name = `${method.toUpperCase()} ${path}`
    const whole = dereference(description) as JsonObject
    const refusal = refused[name]

    it(`prefills no header of ${name}`, () => {
      for (const parameter of list(whole['parameters'])) {
        if (parameter['in'] !== 'header') continue
        const { example, examples, schema } = parameter
        const { default: preset, example: inner, examples: more } = object(schema)
        expect([example, examples, preset, inner, more]).to.deep.equal(Array(5).fill(undefined))
      }
    })

    if (refusal !== undefined) {
      const [status, lacking] = refusal
      it(`refuses ${name} with ${status} while ${lacking} is missing`, async () => {
        const answer = await send(path, method, defaultBody(whole))
        expect(answer.status, answer.text).to.equal(status)
      })
      continue
    }

    it(`accepts ${name} both times`, async () => {
      const body = defaultBody(whole)
      const answers = [await send(path, method, body), await send(path, method, body)]
      for (const { status, text } of answers) expect(status, text).to.be.within(200, 299)
    })
  }

  it('lists every call that it expects to be refused', () => {
    const names = calls.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(names).to.include.members(Object.keys(refused))
  })

  async function send(path: string, method: string, body: unknown) {
    const id = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'
    const answer = await fetch(server.url + path.replaceAll(/\{\w+\}/g, id), {
      method: method.toUpperCase(),
      headers: { 'X-API-KEY': server.apiKey, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
})

function defaultBody(operation: JsonObject): unknown {
  const content = object(object(operation['requestBody'])['content'])
  const { examples } = object(content['application/json'])
  const [first] = Object.values(object(examples))
  return object(first)['value']
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : []
}

function object(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
