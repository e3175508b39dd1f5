import { expect } from 'chai'
import { deferredSupervisor } from './deferred-supervisor.ts'
import type { Supervisor } from './supervisor-link.ts'

const never = new AbortController().signal
const watch = { onProgress: () => undefined, onStderr: () => undefined }
const run = {
  step: 0,
  argv: [],
  limits: { seconds: 1, fileBytes: null, scratchBytes: 1, fileCount: 1 },
  outputs: [],
  log: null,
}
const memory = { type: 'memory', current: 1, peak: 2, limit: 3 } as const

describe('the supervisor before its container has started', () => {
  it('the supervisor gets its requests in their order', async () => {
    const connecting = Promise.withResolvers<Supervisor>()
    const calls: string[] = []
    const supervisor = deferredSupervisor(connecting.promise)
    const running = supervisor.run(run, watch, never)
    supervisor.kill('cancelled')
    const probing = supervisor.probe('a.mp4', 'record')
    expect(supervisor.memory()).to.equal(null)
    connecting.resolve(recording(calls))
    expect(await errorOf(running)).to.equal('run')
    expect(await errorOf(probing)).to.equal('probe')
    expect(calls).to.deep.equal(['run', 'kill cancelled', 'probe a.mp4'])
    expect(supervisor.memory()).to.equal(memory)
  })

  it('rejects all requests when it does not start', async () => {
    const connecting = Promise.withResolvers<Supervisor>()
    const supervisor = deferredSupervisor(connecting.promise)
    const running = supervisor.run(run, watch, never)
    supervisor.kill('interrupted')
    connecting.reject(new Error('connection refused'))
    expect(await errorOf(running)).to.equal('connection refused')
    expect(await errorOf(supervisor.probe('a', 'record'))).to.equal('connection refused')
  })
})

/** Records its requests, and returns fixed answers. */
function recording(calls: string[]): Supervisor {
  return {
    async run() {
      calls.push('run')
      throw new Error('run')
    },
    async probe(path) {
      calls.push(`probe ${path}`)
      throw new Error('probe')
    },
    kill: (reason) => void calls.push(`kill ${reason}`),
    memory: () => memory,
    ready: () => Promise.reject(new Error('ready')),
    bye: () => Promise.resolve(),
    drop: () => undefined,
  }
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : error),
  )
}
