import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createKubeClient } from './client.ts'
import { createOrFind } from './resources/create-or-find.ts'
import { createJobs } from './resources/jobs.ts'
import { isKubeError } from './kube-error.ts'
import { createKubeMetrics } from './kube-metrics.ts'
import type { FakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import type { KubeError, KubeErrorClass } from './kube-error.ts'
import type { Job } from './resources/objects.ts'
import type { Resource } from './resources/resource.ts'

describe('Kubernetes client', () => {
  let clock: VirtualClock
  let server: FakeKubeApiserver
  let registry: Registry
  let jobs: Resource<Job>

  beforeEach(() => {
    clock = createVirtualClock()
    server = createFakeKubeApiserver({ clock, random: () => 0 })
    registry = new Registry()
    const metrics = createKubeMetrics(registry)
    const { transport } = server
    jobs = createJobs(createKubeClient({ transport, clock, random: () => 0.5, metrics }))
  })

  it('creates, reads, patches with preconditions, deletes by uid', async () => {
    const created = await run(jobs.create('n', body('a')))
    expect(await run(jobs.get('n', 'a'))).to.deep.equal(created)
    const { uid, resourceVersion } = created.metadata
    const target = { namespace: 'n', name: 'a', uid, resourceVersion }
    const patched = await run(jobs.mergePatchStatus(target, { active: 1 }))
    expect(patched.status.active).to.equal(1)
    await expectError(jobs.mergePatchStatus(target, { active: 2 }), 'conflict')
    const other = { namespace: 'n', name: 'a', uid: 'another' }
    await expectError(jobs.mergePatch(other, { spec: { suspend: true } }), 'conflict')
    expect(await run(jobs.delete(other))).to.equal('absent')
    expect(await run(jobs.delete({ namespace: 'n', name: 'a', uid }))).to.equal('deleted')
    expect(await run(jobs.delete({ namespace: 'n', name: 'a', uid }))).to.equal('absent')
    expect(await run(jobs.get('n', 'a'))).to.equal(null)
  })

  it('keeps metadata of a patch beside the preconditions', async () => {
    const { metadata } = await run(jobs.create('n', body('a', { finalizers: ['x'] })))
    const target = { namespace: 'n', name: 'a', resourceVersion: metadata.resourceVersion }
    const patched = await run(jobs.mergePatch(target, { metadata: { finalizers: ['y'] } }))
    expect(patched.metadata.finalizers).to.deep.equal(['y'])
  })

  const classes: [number, string, string, KubeErrorClass][] = [
    [400, 'BadRequest', '', 'invalid'],
    [401, 'Unauthorized', '', 'forbidden'],
    [403, 'Forbidden', 'jobs is forbidden: User "x" cannot create', 'forbidden'],
    [403, 'Forbidden', 'pods "a" is forbidden: exceeded quota: q, requested: cpu=1', 'quota'],
    [403, 'Forbidden', 'jobs "a" is forbidden: status unknown for quota: q', 'quota'],
    [404, 'NotFound', '', 'absent'],
    [409, 'AlreadyExists', '', 'exists'],
    [409, 'Conflict', '', 'conflict'],
    [410, 'Expired', '', 'gone'],
    [413, 'RequestEntityTooLarge', '', 'invalid'],
    [422, 'Invalid', '', 'invalid'],
    [429, 'TooManyRequests', '', 'throttled'],
    [500, 'InternalError', '', 'transient'],
    [503, 'ServiceUnavailable', '', 'transient'],
    [504, 'Timeout', '', 'transient'],
  ]
  for (const [status, reason, message, errorClass] of classes) {
    it(`calls ${status} ${reason} ${message} '${errorClass}'`, async () => {
      server.faults.next({ verb: 'create' }, { answer: { status, reason, message } })
      const error = await expectError(jobs.create('n', body('a')), errorClass)
      expect(error).to.include({ status, reason })
      expect(server.calls).to.have.length(1)
    })
  }

  it('repeats reads after server errors, lost replies and throttling', async () => {
    await run(jobs.create('n', body('a')))
    server.faults.next({ verb: 'get' }, { answer: { status: 500, reason: 'InternalError' } })
    server.faults.next({ verb: 'get' }, 'lose-reply')
    server.faults.next({ verb: 'get' }, throttled(2))
    const before = clock.monotonicMs()
    expect((await run(jobs.get('n', 'a')))?.metadata.name).to.equal('a')
    expect(clock.monotonicMs() - before).to.be.within(2_000, 4_000)
  })

  it('the client never repeats a create', async () => {
    server.faults.next({ verb: 'create' }, 'lose-request')
    await expectError(jobs.create('n', body('a')), 'transient')
    expect(server.calls).to.have.length(1)
  })

  it('leaves a long Retry-After to its caller', async () => {
    server.faults.next({ verb: 'get' }, throttled(60))
    const error = await expectError(jobs.get('n', 'a'), 'throttled')
    expect(error.retryAfterMs).to.equal(60_000)
    expect(server.calls).to.have.length(1)
  })

  it('gives up after four tries, and stops repeating when most calls fail', async () => {
    server.faults.onRequest = () => ({ answer: { status: 500, reason: 'InternalError' } })
    await expectError(jobs.get('n', 'a'), 'transient')
    expect(server.calls).to.have.length(4)
    for (let i = 0; i < 10; i += 1) await expectError(jobs.get('n', 'a'), 'transient')
    expect(server.calls).to.have.length(4 + 4 + 4 + 2 + 7)
  })

  it('ends a call without an answer at its deadline', async () => {
    server.faults.next({ verb: 'create' }, 'hang')
    const before = clock.monotonicMs()
    const error = await expectError(jobs.create('n', body('a')), 'transient')
    expect(clock.monotonicMs() - before).to.equal(10_000)
    expect(error.cause).to.include({ name: 'DeadlineExceeded' })
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('a call ends with the reason of its caller, also between two tries', async () => {
    server.faults.onRequest = () => ({ answer: { status: 500, reason: 'InternalError' } })
    const stop = new AbortController()
    const call = jobs.get('n', 'a', { signal: stop.signal })
    const stopped = new Error('stopped')
    clock.schedule(50, () => stop.abort(stopped))
    expect(await run(call.catch((error: unknown) => error))).to.equal(stopped)
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('leaves no listener on a signal that outlives its calls', async () => {
    const { signal } = new AbortController()
    server.faults.next({ verb: 'get' }, 'lose-reply')
    await run(jobs.get('n', 'a', { signal }))
    expect(getEventListeners(signal, 'abort')).to.deep.equal([])
  })

  it('lets 200 calls pass at once and then 100 a second, in order', async () => {
    const done: number[] = []
    const calls = Array.from({ length: 400 }, async () => {
      await jobs.get('n', 'a')
      done.push(clock.monotonicMs())
    })
    await run(Promise.all(calls))
    expect(done[199]).to.be.at.most(10)
    expect(done[399]).to.be.within(1_990, 2_010)
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b))
  })

  it('shows neither bodies nor whole URLs in its errors', async () => {
    const url = 'https://user:pass@bucket.example/a/b?X-Amz-Signature=abc'
    const message = `FfmpegCommand "x" is invalid: spec.inputFiles: Invalid value: "${url}": no`
    const cause = { field: 'spec.inputFiles', reason: 'X', message: `Invalid value: "${url}": no` }
    for (const causes of [[], [cause]]) {
      const answer = { status: 422, reason: 'Invalid', message, causes }
      server.faults.next({ verb: 'create' }, { answer })
      const error = await expectError(jobs.create('n', body('a')), 'invalid')
      expect(error.message).to.contain('spec.inputFiles: Invalid value: no')
      expect(error.message).not.to.match(/Signature|pass|bucket/)
    }
    const fetching = { status: 500, reason: 'InternalError', message: `cannot reach ${url} now` }
    server.faults.next({ verb: 'create' }, { answer: fetching })
    const error = await expectError(jobs.create('n', body('a')), 'transient')
    expect(error.message).to.equal(
      'create Job: 500 InternalError cannot reach https://bucket.example/… now',
    )
  })

  it('counts requests by verb, kind and code', async () => {
    server.faults.next({ verb: 'get' }, 'lose-reply')
    await run(jobs.get('n', 'a'))
    const text = await registry.metrics()
    expect(text).to.contain('kube_requests_total{verb="get",kind="Job",code="lost"} 1')
    expect(text).to.contain('kube_requests_total{verb="get",kind="Job",code="404"} 1')
  })

  describe('creating under a derived name', () => {
    it('creates an object under a derived name', async () => {
      const { created } = await run(createOrFind(jobs, 'n', body('a')))
      expect(created).to.equal(true)
    })

    for (const [what, prepare] of [
      ['finds what a lost reply left', () => server.faults.next({ verb: 'create' }, 'lose-reply')],
      [
        'finds what was applied before a 504',
        () => {
          const applyThen = { status: 504, reason: 'Timeout' }
          server.faults.next({ verb: 'create' }, { applyThen })
        },
      ],
      ['finds what was there', () => void server.cluster.create('Job', 'n', body('a'))],
      [
        'finds it behind an exhausted quota, which answers before the name is checked',
        () => {
          server.cluster.create('Job', 'n', body('a'))
          const answer = { status: 403, reason: 'Forbidden', message: 'exceeded quota: q' }
          server.faults.next({ verb: 'create' }, { answer })
        },
      ],
    ] as const) {
      it(what, async () => {
        prepare()
        const { object, created } = await run(createOrFind(jobs, 'n', body('a')))
        expect(created).to.equal(false)
        expect(object.metadata.name).to.equal('a')
        expect(server.cluster.list('Job')).to.have.length(1)
      })
    }

    it('keeps the error when nothing is there', async () => {
      server.faults.next({ verb: 'create' }, { answer: { status: 504, reason: 'Timeout' } })
      await expectError(createOrFind(jobs, 'n', body('a')), 'transient')
    })
  })

  function run<T>(promise: Promise<T>): Promise<T> {
    return clock.until(promise)
  }

  async function expectError(
    promise: Promise<unknown>,
    errorClass: KubeErrorClass,
  ): Promise<KubeError> {
    const error: unknown = await run(promise.then(() => null).catch((thrown: unknown) => thrown))
    if (!isKubeError(error)) throw new Error('expected a KubeError', { cause: error })
    expect(error.errorClass).to.equal(errorClass)
    return error
  }

  function body(name: string, metadata: object = {}): { metadata: { name: string } } {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, ...metadata } }
    return job
  }

  function throttled(retryAfterSeconds: number) {
    return { answer: { status: 429, reason: 'TooManyRequests', retryAfterSeconds } }
  }
})
