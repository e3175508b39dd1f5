import { expect } from 'chai'
import type http from 'node:http'
import type { Effects, Failpoint } from '../../common/runtime/effects.ts'
import { exampleAssignment } from '../../testing/runner/attempt-fixture.ts'
import { startHttp } from '../../testing/runner/servers.ts'
import type { TestServer } from '../../testing/runner/servers.ts'
import { testEffects } from '../../testing/runner/test-effects.ts'
import type { TestEffects } from '../../testing/runner/test-effects.ts'
import { AttemptEnded } from './runtime/attempt-ended.ts'
import { awaitCommand } from './await-command.ts'
import { parseAssignment } from './gateway/parse-assignment.ts'
import { gatewayRequests } from './gateway/request.ts'

const assignment = parseAssignment(exampleAssignment('http://origin.example'))

/** Answer of a replica to a request: status and body; `cut`: the connection breaks; `hold`: nothing. */
type Reply = readonly [status: number, body?: unknown] | 'cut' | 'hold'

interface Asked {
  readonly at: string
  readonly path: string
  readonly host: string | undefined
  readonly token: string | undefined
}

describe('a pod that waits for its command', () => {
  let servers: TestServer[]
  let asked: Asked[]
  let effects: TestEffects
  let stop: AbortController
  beforeEach(() => {
    servers = []
    asked = []
    effects = testEffects()
    stop = new AbortController()
  })
  afterEach(async () => {
    for (const server of servers) await server.close()
  })

  it('sends requests until it has one, and none after it', async () => {
    const service = await replica('service', (count) => (count < 4 ? [204] : [200, assignment]))
    expect(await wait(service)).to.deep.equal(assignment)
    expect(asked.map(({ path }) => path.replace(/\d+$/, 'N'))).to.deep.equal(
      Array.from({ length: 4 }, () => '/v1/assignment?waited=N'),
    )
  })

  it('says how long its process runs by its own clock, and shows the token that is valid now', async () => {
    const service = await replica('service', (count) => {
      effects.advance(25_000)
      return count < 3 ? [204] : [200, assignment]
    })
    await wait(service)
    expect(asked.map(({ path, token }) => [path.split('=')[1], token])).to.deep.equal([
      ['3', 'Bearer token 1'],
      ['28', 'Bearer token 2'],
      ['53', 'Bearer token 3'],
    ])
  })

  it('follows a replica to the leader, which it addresses as the Service', async () => {
    const leader = await replica('leader', (count) => (count === 1 ? [204] : [200, assignment]))
    const service = await replica('service', () => [200, elsewhere(leader)])
    expect(await wait(service)).to.deep.equal(assignment)
    const host = service.url.replace('http://', '')
    expect(asked.map((each) => [each.at, each.host])).to.deep.equal([
      ['service', host],
      ['leader', host],
      ['leader', host],
    ])
  })

  it('a waiting pod returns to the Service when the leader is gone or leads no more', async () => {
    const third = await replica('third', () => [200, assignment])
    const second = await replica('second', () => 'cut')
    const first = await replica('first', () => [200, elsewhere(second)])
    const service = await replica('service', (count) => [
      200,
      elsewhere(count === 1 ? first : third),
    ])
    await wait(service)
    expect(asked.map(({ at }) => at)).to.deep.equal([
      'service',
      'first',
      'second',
      'service',
      'third',
    ])
  })

  for (const [what, reply] of [
    ['cannot be reached', 'cut'],
    ['is unavailable', [503]],
    ['does not take its token yet', [401]],
    ['is of an earlier release, which does not know such pods', [403, { detail: 'not a pod' }]],
    ['has not bound it', [409, { kind: 'unbound' }]],
  ] as const) {
    it(`sends another request, after a pause, when the gateway ${what}`, async () => {
      const service = await replica('service', (count) => (count < 6 ? reply : [200, assignment]))
      expect(await wait(service)).to.deep.equal(assignment)
      expect(asked).to.have.length(6)
      // Each wait of the test's clock moves it on: the fifth is at least 4 s.
      expect(effects.clock.monotonicMs()).to.be.at.least(7_500)
    })
  }

  for (const [what, fault, requests] of [
    ['its request is not sent', 'before', 1],
    ['the reply that has its command is lost', 'after', 2],
  ] as const) {
    it(`sends another request when ${what}`, async () => {
      const service = await replica('service', () => [200, assignment])
      const points: string[] = []
      const failpoint: Failpoint = async (name, run) => {
        points.push(name)
        if (points.length > 1) return run()
        if (fault === 'after') await run()
        throw new Error('a fault')
      }
      expect(await wait(service, { ...effects, failpoint })).to.deep.equal(assignment)
      expect(points).to.deep.equal(['transfer.warm_runner_waiting', 'transfer.warm_runner_waiting'])
      expect(asked).to.have.length(requests)
    })
  }

  const ends: [number, unknown, number][] = [
    [409, { kind: 'superseded' }, 30],
    [410, { status: 'SUCCESS', errorStatus: null }, 0],
    [410, { status: 'FAILED', errorStatus: 'RUNNER_LOST' }, 29],
  ]
  for (const [status, body, exitCode] of ends) {
    it(`the wait ends at ${String(status)} ${JSON.stringify(body)}`, async () => {
      const service = await replica('service', () => [status, body])
      const error = await wait(service).catch((caught: unknown) => caught)
      expect(error instanceof AttemptEnded && error.exitCode).to.equal(exitCode)
      expect(asked).to.have.length(1)
    })
  }

  it('the wait ends at once when it is interrupted while a request is held', async () => {
    const held = Promise.withResolvers<undefined>()
    const service = await replica('service', () => {
      held.resolve(undefined)
      return 'hold'
    })
    const waiting = wait(service).catch((caught: unknown) => caught)
    await held.promise
    const reason = new AttemptEnded(31, 'interrupted')
    stop.abort(reason)
    expect(await waiting).to.equal(reason)
  })

  function wait(service: TestServer, using: Effects = effects) {
    let tokens = 0
    const readToken = async () => `token ${String((tokens += 1))}`
    const ask = gatewayRequests({ url: service.url, readToken, ca: null }, using)
    // The supervisor took 3 s until it was ready.
    const startedMs = effects.clock.monotonicMs() - 3_000
    return awaitCommand(ask, using, () => undefined, { startedMs, signal: stop.signal })
  }

  async function replica(at: string, reply: (count: number) => Reply): Promise<TestServer> {
    let count = 0
    const server = await startHttp((request, response) => {
      const { url: path = '', headers } = request
      asked.push({ at, path, host: headers.host, token: headers.authorization })
      send(response, reply((count += 1)))
    })
    servers.push(server)
    return server
  }
})

function send(response: http.ServerResponse, reply: Reply): void {
  if (reply === 'hold') return
  if (reply === 'cut') return void response.destroy()
  const [status, body] = reply
  response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body))
}

function elsewhere({ port }: TestServer) {
  return { kind: 'elsewhere', address: `127.0.0.1:${String(port)}` }
}
