import { expect } from 'chai'
import net from 'node:net'
import { attemptFixture } from '../../testing/runner/attempt-fixture.ts'
import type { GatewayScript } from '../../testing/runner/gateway-server.ts'
import { closed, listen } from '../../testing/runner/servers.ts'
import { useFixture } from '../../testing/support/scratch.ts'

describe('an attempt of a pod that was started before its command', () => {
  const fixture = useFixture(attemptFixture)

  it('a warm runner runs the command as another pod does, and requests no further one', async () => {
    const noCommand: GatewayScript['intercept'] = ({ path, count }, response) => {
      if (path !== '/v1/assignment' || count > 1) return false
      response.writeHead(204).end()
      return true
    }
    const { exitCode, gateway, supervisor, published } = await fixture.warmRunner(
      { run: fixture.makes('out.mp4') },
      { intercept: noCommand },
    )
    expect(exitCode).to.equal(0)
    expect(published).to.deep.equal([
      { alias: 'out_1', path: 'out.mp4', sizeBytes: 4, fileCount: null },
    ])
    expect(gateway.calls.filter((call) => call === 'GET /v1/assignment')).to.have.length(2)
    await supervisor.dismissed
  })

  it('a warm runner exits with 31 at once, without a report, when it is interrupted while it waits', async () => {
    const interrupted = new AbortController()
    const { exitCode, gateway, supervisor } = await fixture.warmRunner(
      { run: async () => 'hang' },
      {
        intercept({ path }) {
          if (path !== '/v1/assignment') return false
          interrupted.abort()
          return true
        },
      },
      interrupted.signal,
    )
    expect(exitCode).to.equal(31)
    expect(gateway.calls).to.deep.equal(['GET /v1/assignment'])
    expect(supervisor.received).to.deep.equal([])
  })

  it('a warm runner exits with 30, without a report, when its command was given to another pod', async () => {
    const { exitCode, gateway } = await fixture.warmRunner(
      { run: async () => 'hang' },
      {
        intercept({ path }, response) {
          response.writeHead(409).end(JSON.stringify({ kind: 'superseded' }))
          return path === '/v1/assignment'
        },
      },
    )
    expect(exitCode).to.equal(30)
    expect(gateway.calls).to.deep.equal(['GET /v1/assignment'])
  })

  it('a warm runner exits with 43, and requests no command, when the node has no sandbox', async () => {
    const sandbox = {
      mode: 'required',
      usable: false,
      landlock: false,
      seccomp: true,
      problem: 'x',
    }
    const ready = { type: 'ready', ffmpegVersion: '7', sandbox, cpus: 1 }
    const socketPath = `${fixture.root}/link.sock`
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined).write(`${JSON.stringify(ready)}\n`)
    })
    await listen(server, socketPath)
    const { exitCode, gateway } = await fixture.warmRunner(null, {})
    await closed(server)
    expect(exitCode).to.equal(43)
    expect(gateway.calls).to.deep.equal([])
  })
})
