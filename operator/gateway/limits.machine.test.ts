import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import { openGateway } from '../../testing/support/operator/gateway.ts'
import { stillEffects } from '../../testing/support/still-effects.ts'
import { until } from '../../testing/support/until.ts'
import { progress, success } from './messages.fixture.ts'

describe('limits of the gateway', () => {
  const effects = stillEffects()
  let gateway: Awaited<ReturnType<typeof openGateway>>
  before(async function () {
    // The first use on a machine builds the S3 server.
    this.timeout(600_000)
    gateway = await openGateway({ effects }, { maxConnections: 20, inFlightMbytes: 32 })
  })
  after(() => gateway.close())

  const limited = async (limit: string) => {
    const text = await gateway.registry.metrics()
    return Number(new RegExp(`gateway_limited_total\\{limit="${limit}"\\} (\\d+)`).exec(text)?.[1])
  }

  /** Sends headers only, and announces a body. @returns the status of the answer */
  async function announce(path: string, bytes: number, token: string | null): Promise<number> {
    const headers = {
      'content-length': bytes,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    }
    const sent = request(gateway.url + path, { method: 'POST', headers })
    sent.on('error', () => undefined)
    sent.flushHeaders()
    const [response] = (await once(sent, 'response')) as [{ statusCode: number }]
    sent.destroy()
    return response.statusCode
  }

  it('answers 401 and 404 before the body is read', async () => {
    expect(await announce('/v1/result', 8_000_000, null)).to.equal(401)
    const { pod } = await gateway.claimed()
    expect(await announce('/v1/unknown', 8_000_000, pod.token)).to.equal(404)
  })

  it('answers 413 with the limit of the route', async () => {
    const { pod } = await gateway.claimed()
    const limits = { '/v1/progress': 1_310_720, '/v1/uploads': 524_288, '/v1/result': 8_388_608 }
    for (const [path, bytes] of Object.entries(limits)) {
      expect(await announce(path, bytes + 1, pod.token), path).to.equal(413)
    }
    const answer = await pod.post('/v1/progress', 'x'.repeat(1_310_721))
    expect(answer.body).to.deep.equal({
      detail: 'The message is too large: at most 1310720 bytes on this route',
    })
    expect(await limited('body')).to.equal(4)
  })

  it('answers 503 while as many bytes of bodies are in flight as it may hold', async () => {
    const { pod } = await gateway.claimed()
    const headers = { authorization: `Bearer ${pod.token}`, 'content-length': 8_388_608 }
    const open = Array.from({ length: 4 }, () => {
      const sent = request(`${gateway.url}/v1/result`, { method: 'POST', headers })
      sent.on('error', () => undefined)
      sent.write('{')
      return sent
    })
    const answer = await until(async () => {
      const report = await pod.post('/v1/progress', progress)
      return report.status !== 200 && report.status !== 429 && report
    })
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '1'])
    expect(answer.body).to.deep.equal({
      detail: 'The gateway is reading as many messages as it can hold; retry in 1 s',
    })
    // A request without a body needs no room.
    expect((await pod.assignment()).status).to.equal(200)
    for (const sent of open) sent.destroy()
    await until(async () => {
      effects.advance(1_000)
      return (await pod.post('/v1/progress', progress)).status === 200
    })
    expect(await limited('bodies')).to.be.at.least(1)
  })

  it('answers 429 to reports above one a second', async () => {
    const { pod } = await gateway.claimed()
    let answer = await pod.post('/v1/progress', progress)
    for (let count = 0; answer.status === 200 && count < 1_000; count += 1) {
      answer = await pod.post('/v1/progress', progress)
    }
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([429, '1'])
    expect(answer.body).to.deep.equal({
      detail: 'Too many reports of one attempt: 1 a second; retry in 1 s',
    })
    expect(await limited('reports')).to.be.at.least(1)
  })

  it('answers 422 to steps that the command does not have', async () => {
    const { pod } = await gateway.claimed()
    const chunk = { step: 1, sequence: 0, text: 'x' }
    const [step] = progress.steps
    const steps = [step, { ...step, index: 1 }]
    const detail = async (path: string, body: object) => {
      const answer = await pod.post(path, body)
      return [answer.status, (answer.body as { detail: string }).detail]
    }
    const ofLog = [422, 'Log of step 1; the message has 1 steps']
    const ofSteps = [422, 'The command has 1 steps; the message has 2']
    expect(await detail('/v1/progress', { ...progress, logs: [chunk] })).to.deep.equal(ofLog)
    expect(await detail('/v1/progress', { ...progress, steps, logs: [chunk] })).to.deep.equal(
      ofSteps,
    )
    expect(await detail('/v1/result', { ...success, logs: [chunk] })).to.deep.equal(ofLog)
    expect(await detail('/v1/result', { ...success, steps })).to.deep.equal(ofSteps)
  })

  it('closes a connection above its number at once', async () => {
    const { port } = new URL(gateway.url)
    const sockets = Array.from({ length: 30 }, () => connect(Number(port), '127.0.0.1'))
    const closed = sockets.map(
      (socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
    )
    for (const socket of sockets) socket.on('error', () => undefined).resume()
    await Promise.race(closed)
    expect(await limited('connections')).to.be.at.least(1)
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
  })
})
