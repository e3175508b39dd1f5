import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { IncomingMessage } from 'node:http'
import { runPath, submission } from '../../../testing/support/api/app.ts'
import { checkedCall, field } from '../../checked-call.fixture.ts'
import { endMains, environmentWith, freePorts, startMain } from '../../main.fixture.ts'
import { planWith } from '../../../testing/support/plans.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import { useResource } from '../../../testing/support/mocha.ts'

const key = 'cff_0123456789abcdef0123456789abcdef'
const streams = 2_000
/** Opened and closed before the measurement: what V8 allocates for any load is not that of a stream. */
const warmUp = 200
const kib = 1024

describe(`${streams} event streams on one API server`, () => {
  afterEach(endMains)
  const database = useResource(openTestDatabase)
  const agent = new Agent({ keepAlive: false })

  it('serves all streams at less than 100 KiB of memory each', async () => {
    const { url, rssBytes } = await startServer()
    const { body } = await checkedCall(url, runPath, { method: 'POST', key, body: submission })
    const address = `${url}/v1/commands/${String(field(body, 'command_id'))}/events`
    for (const stream of await openAll(address, warmUp)) stream.destroy()
    const before = await rssBytes()
    const open = await openAll(address, streams)
    // Streams that live send a comment each 15 s; this is the memory of a stream at work.
    await Promise.all(open.slice(0, 10).map((stream) => until(stream, /: waiting/)))
    const each = ((await rssBytes()) - before) / streams / kib
    console.log(
      `      ${(before / kib / kib).toFixed(0)} MB before; ${each.toFixed(1)} KiB more per stream`,
    )
    const more = await openOne(address)
    expect(more.response.statusCode).to.equal(503)
    more.response.destroy()
    for (const stream of open) stream.destroy()
    expect(each).to.be.below(100)
  })

  /** The real process; no cluster is behind it, so the command waits. */
  async function startServer() {
    const { child, ended } = startMain({
      ...environmentWith(database.connectionString, { unlimited: planWith() }, freePorts),
      KUBECONFIG: path.join(tmpdir(), 'no-such-kubeconfig'),
      CLOUD_FFMPEG_BOOTSTRAP_API_KEY: key,
    })
    for await (const line of createInterface(child.stdout)) {
      const entry = JSON.parse(line) as { message?: string; port?: number }
      if (entry.message !== 'started' || entry.port === undefined) continue
      child.stdout.resume()
      return {
        url: `http://127.0.0.1:${entry.port}`,
        rssBytes: async (): Promise<number> => {
          const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
          return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * kib
        },
      }
    }
    throw new Error(`not started: ${(await ended).errors}`)
  }

  /** Fifty at a time, as far as the first event of each. */
  async function openAll(address: string, count: number): Promise<IncomingMessage[]> {
    const open: IncomingMessage[] = []
    while (open.length < count) {
      const batch = Array.from({ length: Math.min(50, count - open.length) }, async () => {
        const { response } = await openOne(address)
        expect(response.statusCode).to.equal(200)
        await until(response, /QUEUED/)
        return response
      })
      open.push(...(await Promise.all(batch)))
    }
    return open
  }

  async function openOne(address: string) {
    const request = get(address, { agent, headers: { 'X-API-KEY': key } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    // The server ends some when the process is killed.
    response.on('error', () => undefined)
    response.setEncoding('utf8')
    return { response }
  }
})

function until(response: IncomingMessage, pattern: RegExp): Promise<void> {
  return new Promise((resolve) => {
    let text = ''
    response.on('data', function read(piece: string) {
      text += piece
      if (!pattern.test(text)) return
      response.off('data', read)
      response.resume()
      resolve()
    })
  })
}
