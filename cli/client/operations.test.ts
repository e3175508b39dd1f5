import { expect } from 'chai'
import { scriptedClient } from './scripted-client.fixture.ts'
import { documented } from '../../api-server/http/openapi.ts'
import type { JsonObject } from '../../common/json/json-object.ts'
import type { Calls } from '../../common/openapi/openapi-types.ts'
import type { Client } from './client.ts'

/** The compiler rejects this line if an operation has no method. */
const everyOperationIsAMethod: keyof Calls extends keyof Client ? true : false = true

/** Without health checks and the description, which the client does not call. */
const operations = documented.filter(
  ({ description }) => description['security'] === undefined || 'requestBody' in description,
)

/** Their methods take options alone. */
const streams = new Set(['getCommandEvents', 'getEvents'])

describe('the client and openapi.json', () => {
  it('the client and openapi.json have the same calls', () => {
    expect(everyOperationIsAMethod).to.equal(true)
    const helpers = ['submit', 'followLogs', 'waitFor', 'waitForFile']
    const methods = Object.keys(scriptedClient([]).client).filter((one) => !helpers.includes(one))
    const ids = operations.map(({ description }) => String(description['operationId']))
    expect(methods.toSorted()).to.deep.equal(ids.toSorted())
  })

  for (const { path, method, description } of operations) {
    const id = String(description['operationId'])
    it(`${id} goes to ${method.toUpperCase()} ${path}`, async () => {
      const { client, sent } = scriptedClient([() => exampleAnswer(description)])
      const query = parametersIn(description, 'query')
      const ids = parametersIn(description, 'path').map(() => 'a/b')
      const input =
        'requestBody' in description
          ? [{ some: 'body' }]
          : query.length > 0
            ? [{ [query[0] ?? '']: 7 }]
            : []
      await call(client, id, [...ids, ...input])
      expect(sent).to.have.length(1)
      const suffix = query.length > 0 && !('requestBody' in description) ? `?${query[0]}=7` : ''
      const expected = path.replaceAll(/\{\w+\}/g, 'a%2Fb') + (streams.has(id) ? '' : suffix)
      expect(sent[0]?.method).to.equal(method.toUpperCase())
      expect(sent[0]?.path).to.equal(expected)
      expect(sent[0]?.body).to.deep.equal(
        'requestBody' in description ? { some: 'body' } : undefined,
      )
    })
  }
})

async function call(client: Client, id: string, given: unknown[]): Promise<void> {
  const found: unknown = Object.entries(client).find(([name]) => name === id)?.[1]
  const result: unknown = (found as (...all: unknown[]) => unknown)(...given)
  if (!streams.has(id)) {
    await result
    return
  }
  // The events of an account have no end.
  for await (const event of result as AsyncIterable<unknown>) {
    expect(event).to.be.an('object')
    break
  }
}

function exampleAnswer(description: JsonObject): Response {
  const answers = Object.entries(description['responses'] ?? {})
  const [status = '200', answer] = answers.find(([code]) => code.startsWith('2')) ?? []
  const content: unknown = (answer as JsonObject)['content']
  const type = Object.keys(content ?? {})[0] ?? null
  if (type === null) return new Response(null, { status: Number(status) })
  const final = 'data: {"status": "SUCCESS"}\n\n'
  return new Response(type.startsWith('text') ? final : '{}', {
    status: Number(status),
    headers: { 'Content-Type': type },
  })
}

function parametersIn(description: JsonObject, place: string): string[] {
  const list = description['parameters']
  return (Array.isArray(list) ? (list as JsonObject[]) : [])
    .filter((one) => one['in'] === place)
    .map((one) => String(one['name']))
}
