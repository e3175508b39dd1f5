import { expect } from 'chai'
import { readJson, readJsonLines } from '../../../common/kubernetes/json-body.ts'
import { objectIn, objectOf, textIn } from '../../../common/kubernetes/read-json.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'
import { createFakeKubeApiserver } from './server.ts'
import type { KubeRequest } from '../../../common/kubernetes/transport.ts'
import type { VirtualClock } from '../../support/virtual-clock.ts'
import type { FakeKubeApiserver } from './server.ts'

describe('fake kube-apiserver', () => {
  let clock: VirtualClock
  let server: FakeKubeApiserver
  let draw: number

  beforeEach(() => {
    draw = 0
    clock = createVirtualClock()
    server = createFakeKubeApiserver({ clock, random: () => draw })
  })

  it('creates, refuses a taken name, and reads back', async () => {
    const created = await call('POST', jobs, { body: job('a') })
    expect(created.status).to.equal(201)
    expect(created.metadata).to.include({ name: 'a', generation: 1 })
    expect((await call('POST', jobs, { body: job('a') })).reason).to.equal('AlreadyExists')
    expect((await call('GET', `${jobs}/a`)).body).to.deep.equal(created.body)
    expect((await call('GET', `${jobs}/b`)).status).to.equal(404)
  })

  it('takes a merge patch with preconditions, and a status only on its own path', async () => {
    const { metadata } = await call('POST', jobs, { body: job('a') })
    const version = textIn(metadata, 'resourceVersion')
    const patch = { metadata: { resourceVersion: version }, status: { active: 1 } }
    const ignored = await merge(`${jobs}/a`, { status: { active: 1 } })
    expect(ignored.body['status']).to.equal(undefined)
    expect(ignored.metadata['resourceVersion']).to.equal(version)
    const patched = await merge(`${jobs}/a/status`, patch)
    expect(patched.body['status']).to.deep.equal({ active: 1 })
    expect((await merge(`${jobs}/a/status`, patch)).reason).to.equal('Conflict')
    expect((await merge(`${jobs}/a`, { metadata: { uid: 'other' } })).status).to.equal(422)
    const untyped = await call('PATCH', `${jobs}/a`, { body: {} })
    expect(untyped.status).to.equal(415)
  })

  it('counts generations of the spec, not of the status', async () => {
    await call('POST', jobs, { body: job('a') })
    await merge(`${jobs}/a/status`, { status: { active: 1 } })
    const patched = await merge(`${jobs}/a`, { spec: { suspend: true } })
    expect(patched.metadata['generation']).to.equal(2)
  })

  it('keeps a deleted object until its last finalizer is gone', async () => {
    await call('POST', jobs, { body: job('a', { finalizers: ['x'] }) })
    await call('DELETE', `${jobs}/a`, { body: {} })
    const { metadata } = await call('GET', `${jobs}/a`)
    expect(textIn(metadata, 'deletionTimestamp')).to.match(/^2026-01-01T00:00:00Z$/)
    const added = await merge(`${jobs}/a`, { metadata: { finalizers: ['x', 'y'] } })
    expect(added.status).to.equal(422)
    await merge(`${jobs}/a`, { metadata: { finalizers: null } })
    expect((await call('GET', `${jobs}/a`)).status).to.equal(404)
  })

  it('deletes only the object whose uid is given', async () => {
    await call('POST', jobs, { body: job('a') })
    const answer = await call('DELETE', `${jobs}/a`, { body: { preconditions: { uid: 'other' } } })
    expect(answer.reason).to.equal('Conflict')
  })

  it('collects dependents after their owner, and those whose owner never was', async () => {
    const owner = await call('POST', jobs, { body: job('owner') })
    const uid = textIn(owner.metadata, 'uid')
    const reference = { apiVersion: 'batch/v1', kind: 'Job', name: 'owner', uid }
    await call('POST', pods, { body: job('child', { ownerReferences: [reference] }) })
    const unknown = { ...reference, uid: 'none' }
    await call('POST', pods, { body: job('stray', { ownerReferences: [unknown] }) })
    await clock.advance(1000)
    expect(server.cluster.list('Pod').map(({ metadata }) => metadata.name)).to.deep.equal(['child'])
    await call('DELETE', `${jobs}/owner`, { body: { propagationPolicy: 'Background' } })
    await clock.advance(1000)
    expect(server.cluster.list('Pod')).to.deep.equal([])
  })

  it('removes dependents before the owner in a foreground deletion', async () => {
    const owner = await call('POST', jobs, { body: job('owner') })
    const uid = textIn(owner.metadata, 'uid')
    const reference = { apiVersion: 'batch/v1', kind: 'Job', name: 'owner', uid }
    const metadata = { ownerReferences: [reference], finalizers: ['x'] }
    await call('POST', pods, { body: job('child', metadata) })
    await call('DELETE', `${jobs}/owner`, { body: { propagationPolicy: 'Foreground' } })
    await clock.advance(1000)
    expect(server.cluster.get('Job', 'n', 'owner')).not.to.equal(null)
    await merge(`${pods}/child`, { metadata: { finalizers: null } })
    await clock.advance(1000)
    expect(server.cluster.get('Job', 'n', 'owner')).to.equal(null)
  })

  it('lets a bound pod stay for its grace period', async () => {
    await call('POST', pods, { body: { ...job('a'), spec: { nodeName: 'node' } } })
    await call('DELETE', `${pods}/a`, { body: {} })
    expect(server.cluster.get('Pod', 'n', 'a')?.metadata.deletionGracePeriodSeconds).to.equal(30)
    server.cluster.finishGrace('Pod', 'n', 'a')
    expect(server.cluster.get('Pod', 'n', 'a')).to.equal(null)
  })

  it('serves all pages of a list from the version of the first', async () => {
    for (const name of ['a', 'b', 'c']) await call('POST', jobs, { body: job(name) })
    const first = await call('GET', jobs, { query: { limit: '2' } })
    await call('DELETE', `${jobs}/c`, { body: {} })
    const token = textIn(first.metadata, 'continue')
    const second = await call('GET', jobs, { query: { limit: '2', continue: token } })
    expect(namesOf(second.body)).to.deep.equal(['c'])
    expect(second.metadata['resourceVersion']).to.equal(first.metadata['resourceVersion'])
    server.compact()
    const late = await call('GET', jobs, { query: { limit: '2', continue: token } })
    expect(late.status).to.equal(410)
  })

  it('shows the state at an exact version, and filters by label', async () => {
    await call('POST', jobs, { body: job('a', { labels: { l: '1' } }) })
    const version = server.version()
    await call('POST', jobs, { body: job('b', { labels: { l: '1' } }) })
    const exact = { resourceVersion: version, resourceVersionMatch: 'Exact' }
    expect(namesOf((await call('GET', jobs, { query: exact })).body)).to.deep.equal(['a'])
    const selected = await call('GET', jobs, { query: { labelSelector: 'l=2' } })
    expect(namesOf(selected.body)).to.deep.equal([])
  })

  it('streams what happened after a version, then what happens, then a bookmark', async () => {
    const version = server.version()
    await call('POST', jobs, { body: job('a') })
    const watch = await openWatch({ resourceVersion: version })
    await merge(`${jobs}/a/status`, { status: { active: 1 } })
    await call('DELETE', `${jobs}/a`, { body: {} })
    await clock.advance(10_000)
    expect(watch.lines.map(({ type }) => type)).to.deep.equal([
      'ADDED',
      'MODIFIED',
      'DELETED',
      'BOOKMARK',
    ])
    expect(watch.end).to.equal('clean')
  })

  it('answers 410 to a watch from a compacted version, by status or in the stream', async () => {
    const version = server.version()
    await call('POST', jobs, { body: job('a') })
    server.compact()
    expect((await call('GET', jobs, { query: watchQuery(version) })).status).to.equal(410)
    draw = 0.9
    const { status, body } = await call('GET', jobs, { query: watchQuery(version) })
    expect(status).to.equal(200)
    expect(body['type']).to.equal('ERROR')
    expect(objectIn(body, 'object')['code']).to.equal(410)
  })

  it('delays, drops, doubles and swaps events of a watch, silences and ends it', async () => {
    const watch = await openWatch({ resourceVersion: server.version() })
    server.faults.nextEvent({ name: 'drop' }, 'drop')
    server.faults.nextEvent({ name: 'twice' }, 'duplicate')
    server.faults.nextEvent({ name: 'late' }, { delayMs: 500 })
    server.faults.nextEvent({ name: 'swap' }, 'swap-with-next')
    server.faults.nextEvent({ name: 'mute' }, 'go-silent')
    for (const name of ['drop', 'twice', 'late', 'swap', 'next', 'mute', 'never']) {
      await call('POST', jobs, { body: job(name) })
    }
    await clock.advance(100)
    expect(watch.names()).to.deep.equal(['twice', 'twice'])
    await clock.advance(60_000)
    expect(watch.names()).to.deep.equal(['twice', 'twice', 'late', 'next', 'swap'])
    expect(watch.end).to.equal('open')
  })

  it('fails requests before and after their effect', async () => {
    server.faults.next(
      { verb: 'create', name: null },
      { answer: { status: 500, reason: 'InternalError' } },
    )
    expect((await call('POST', jobs, { body: job('a') })).status).to.equal(500)
    expect(server.cluster.list('Job')).to.deep.equal([])
    server.faults.next({ verb: 'create' }, { applyThen: { status: 504, reason: 'Timeout' } })
    expect((await call('POST', jobs, { body: job('a') })).status).to.equal(504)
    expect(server.cluster.list('Job')).to.have.length(1)
    server.faults.next({ verb: 'delete' }, 'lose-reply')
    const lost = await call('DELETE', `${jobs}/a`, { body: {} }).catch(String)
    expect(lost).to.equal('Error: connection reset')
    expect(server.cluster.list('Job')).to.deep.equal([])
  })

  const jobs = '/apis/batch/v1/namespaces/n/jobs'
  const pods = '/api/v1/namespaces/n/pods'

  function job(name: string, metadata: object = {}): Record<string, unknown> {
    return { metadata: { name, ...metadata }, spec: {}, status: { active: 9 } }
  }

  function watchQuery(resourceVersion: string): Record<string, string> {
    return { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '9', resourceVersion }
  }

  interface Answer {
    readonly status: number
    readonly body: Readonly<Record<string, unknown>>
    readonly metadata: Readonly<Record<string, unknown>>
    readonly reason: unknown
  }

  async function call(
    method: KubeRequest['method'],
    path: string,
    more: Partial<KubeRequest> = {},
  ): Promise<Answer> {
    const { signal } = new AbortController()
    const answer = server.transport({ method, path, signal, ...more })
    const parsed = answer.then(async ({ status, body }) => ({ status, raw: await readJson(body) }))
    const { status, raw } = await clock.until(parsed)
    const body = objectOf(raw, 'body')
    return { status, body, metadata: objectIn(body, 'metadata'), reason: body['reason'] }
  }

  function merge(path: string, body: object): Promise<Answer> {
    return call('PATCH', path, { body, contentType: 'application/merge-patch+json' })
  }

  async function openWatch(query: { resourceVersion: string }): Promise<{
    lines: { type: unknown; name: unknown }[]
    names: () => unknown[]
    end: 'open' | 'clean' | 'broken'
  }> {
    const lines: { type: unknown; name: unknown }[] = []
    const watch = { lines, names: () => lines.map(({ name }) => name), end: 'open' as const }
    const result: Awaited<ReturnType<typeof openWatch>> = watch
    void read()
    await clock.advance(10)
    return result

    async function read(): Promise<void> {
      const { signal } = new AbortController()
      const request = {
        method: 'GET',
        path: jobs,
        query: watchQuery(query.resourceVersion),
      } as const
      const { body } = await server.transport({ ...request, signal })
      for await (const line of readJsonLines(body)) {
        const event = objectOf(line, 'event')
        const { name } = objectIn(objectIn(event, 'object'), 'metadata')
        lines.push({ type: event['type'], name })
      }
      result.end = 'clean'
    }
  }

  function namesOf(list: Readonly<Record<string, unknown>>): unknown[] {
    const items = Array.isArray(list['items']) ? list['items'] : []
    return items.map((item) => objectIn(objectOf(item, 'item'), 'metadata')['name'])
  }
})
