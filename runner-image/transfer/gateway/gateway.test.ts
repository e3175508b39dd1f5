import { expect } from 'chai'
import type http from 'node:http'
import { text } from 'node:stream/consumers'
import { AttemptEnded } from '../runtime/attempt-ended.ts'
import { startHttp } from '../../../testing/runner/servers.ts'
import type { TestServer } from '../../../testing/runner/servers.ts'
import { testEffects } from '../../../testing/runner/test-effects.ts'
import { createGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { gatewayRequests } from './request.ts'

const report = {
  status: 'PROCESSING',
  stage: 'DOWNLOADING',
  progressPercent: null,
  steps: [],
  logs: [],
} as const
const result = {
  outcome: { status: 'FAILED', errorStatus: 'CANCELLED', errorMessage: 'x' },
  steps: [],
  usage: { inputBytes: 0, outputBytes: 0, ffmpegStarted: false, ffmpegRunSeconds: null },
  logs: [{ step: 0, sequence: 0, text: 'a' }],
} as const
const recorded = { kind: 'recorded', status: 'FAILED', errorStatus: 'CANCELLED' }

describe('requests to the runner gateway', () => {
  let server: TestServer
  let requests: { authorization: string | undefined; body: unknown }[]
  let tokens: string[]
  afterEach(() => server.close())

  it('shows the token that is valid now', async () => {
    const gateway = await answering((count) => (count === 1 ? [401] : [200, recorded]))
    tokens = ['old', 'new']
    await gateway.result(copyOf(result))
    expect(requests.map(({ authorization }) => authorization)).to.deep.equal([
      'Bearer old',
      'Bearer new',
    ])
  })

  for (const status of [429, 500, 503]) {
    it(`a request to the gateway is retried after ${String(status)}`, async () => {
      const gateway = await answering((count) => (count < 4 ? [status] : [200, recorded]))
      expect(await gateway.result(copyOf(result))).to.deep.equal(recorded)
      expect(requests.length).to.equal(4)
    })
  }

  it('gives the attempt up as lost once the patience is used up', async () => {
    const gateway = await answering(() => [503])
    expect(await endOf(gateway.result(copyOf(result)))).to.equal(41)
  })

  it('gives up on a gateway that is not there', async () => {
    const gateway = await answering(() => [200, recorded])
    await server.close()
    expect(await endOf(gateway.result(copyOf(result)))).to.equal(41)
  })

  const ends: [number, unknown, number][] = [
    [409, { kind: 'superseded' }, 30],
    [410, { status: 'SUCCESS', errorStatus: null }, 0],
    [410, { status: 'FAILED', errorStatus: 'OUT_OF_MEMORY' }, 0],
    [410, { status: 'FAILED', errorStatus: 'CANCELLED' }, 0],
    [410, { status: 'FAILED', errorStatus: 'RUNNER_LOST' }, 29],
    [403, { detail: 'no' }, 42],
    [404, { detail: 'no' }, 42],
  ]
  for (const [status, body, exitCode] of ends) {
    it(`transfer exits ${String(exitCode)} at ${String(status)} ${JSON.stringify(body)}`, async () => {
      const gateway = await answering(() => [status, body])
      expect(await endOf(gateway.assignment(new AbortController().signal))).to.equal(exitCode)
      expect(requests.length).to.equal(1)
    })
  }

  it('sends progress once: the next report carries the same news', async () => {
    const gateway = await answering(() => [503])
    expect(await gateway.progress(copyOf(report))).to.equal(null)
    expect(requests.length).to.equal(1)
  })

  it('sends the outcome without its log when the log is too large', async () => {
    const gateway = await answering((count) => (count === 1 ? [413] : [200, recorded]))
    await gateway.result(copyOf(result))
    expect(requests[1]?.body).to.deep.equal({ ...result, logs: [] })
  })

  it('ends the attempt at an answer that says nothing it knows', async () => {
    const gateway = await answering(() => [200, { commandId: 7 }])
    const error = await gateway
      .assignment(new AbortController().signal)
      .catch((caught: unknown) => caught)
    expect(error instanceof Error && error.message).to.equal('assignment.limits: not an object')
  })

  async function answering(answer: (count: number) => [number, unknown?]): Promise<Gateway> {
    requests = []
    tokens = []
    server = await startHttp((request, response) => {
      void receive(request, response, answer)
    })
    const ask = gatewayRequests(
      { url: server.url, readToken: async () => tokens.shift() ?? 'token', ca: null },
      testEffects(),
    )
    return createGateway(ask, 10_000)
  }

  async function receive(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    answer: (count: number) => [number, unknown?],
  ): Promise<void> {
    const sent = await text(request)
    requests.push({
      authorization: request.headers.authorization,
      body: sent === '' ? null : JSON.parse(sent),
    })
    const [status, body] = answer(requests.length)
    response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body))
  }

  async function endOf(call: Promise<unknown>): Promise<number> {
    const error = await call.catch((caught: unknown) => caught)
    if (error instanceof AttemptEnded) return error.exitCode
    throw error
  }

  function copyOf<T>(value: T): Mutable<T> {
    return structuredClone(value) as Mutable<T>
  }
})

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T
