import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'chai'

const connections = 1_000
const body = Buffer.alloc(8 * 1024 * 1024)
const mbyte = 1024 * 1024

describe(`${connections} connections without a token, with 8 MiB each`, () => {
  let gateway: ChildProcess
  let port: number

  before(async () => {
    gateway = fork(new URL('gateway-process.fixture.ts', import.meta.url))
    ;[{ port }] = (await once(gateway, 'message')) as [{ port: number }]
  })
  after(async () => {
    const end = once(gateway, 'exit')
    gateway.kill()
    await end
  })

  async function rssBytes(): Promise<number> {
    const answer = once(gateway, 'message') as Promise<[{ rssBytes: number }]>
    gateway.send('memory')
    return (await answer)[0].rssBytes
  }

  /** Four connections of each address, as pods have them. @returns the status; null if it was closed */
  function send(index: number, bytes = body): Promise<number | null> {
    const pod = Math.floor(index / 4)
    return new Promise((resolve) => {
      const sent = request({
        port,
        method: 'POST',
        path: '/v1/result',
        agent: false,
        host: '127.0.0.1',
        localAddress: `127.0.${1 + Math.floor(pod / 200)}.${1 + (pod % 200)}`,
        headers: { 'content-length': bytes.length },
      })
      sent.on('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? null)
      })
      sent.on('error', () => resolve(null))
      sent.on('close', () => resolve(null))
      sent.end(bytes)
    })
  }

  it('requests without a token are refused before their bodies are read, with at most 20 MB of memory', async () => {
    // A gateway at work: what V8 allocates for any load is not that of the bodies.
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => send(index, Buffer.from('{}'))))
    }
    const before = await rssBytes()
    let peak = before
    let isDone = false
    const sampling = (async () => {
      while (!isDone) peak = Math.max(peak, await rssBytes())
    })()
    const answers = await Promise.all(
      Array.from({ length: connections }, (_, index) => send(index)),
    )
    isDone = true
    await sampling
    const counts = Object.entries(Object.groupBy(answers, String)).map(
      ([status, all]) => `${all?.length ?? 0} × ${status}`,
    )
    const grown = (peak - before) / mbyte
    console.log(
      `      ${(before / mbyte).toFixed(0)} MB before, ${grown.toFixed(1)} MB more at most; answers: ${counts.join(', ')}`,
    )
    expect(new Set(answers).has(401)).to.equal(true)
    expect(answers.every((status) => status === 401 || status === null)).to.equal(true)
    expect(grown).to.be.at.most(20)
  })
})
