import { KubeConfig } from '@kubernetes/client-node'
import { Registry } from 'prom-client'
import { systemEffects } from '../../common/system-effects.ts'
import { sleep } from '../../common/effects.ts'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { createSystemTransport } from '../../common/kubernetes/system-transport.ts'
import { createFfmpegCommands } from '../../common/kubernetes/ffmpeg-commands.ts'
import { createJobs } from '../../common/kubernetes/jobs.ts'
import { createPods } from '../../common/kubernetes/pods.ts'
import { createLeases } from '../../common/kubernetes/leases.ts'
import { createEvents } from '../../common/kubernetes/events.ts'
import { createOrFind } from '../../common/kubernetes/create-or-find.ts'
import { createReflector } from './reflector.ts'
import { createReflectorMetrics } from './reflector-metrics.ts'
import { createLeader } from './leader.ts'
import { createLeaderMetrics } from './leader-metrics.ts'
import { createEventRecorder } from './event-recorder.ts'
import { createLogger } from '../../common/logger.ts'

const { clock, random, newId } = systemEffects()
const registry = new Registry()
const transport = createSystemTransport({ clock, loadConfig() {
  const c = new KubeConfig()
  c.loadFromClusterAndUser({ name: 'c', server: 'https://127.0.0.1:46443', skipTLSVerify: true }, { name: 'u', token: 'tok' })
  return c
}})
const client = createKubeClient({ transport, clock, random, metrics: createKubeMetrics(registry) })
const logger = createLogger({ component: 'probe', level: 'debug' })
const n = 'default'
const commands = createFfmpegCommands(client), jobs = createJobs(client), pods = createPods(client), leases = createLeases(client), events = createEvents(client)
const show = (label: string, value: unknown) => console.log(label, JSON.stringify(value))
const tryIt = async (label: string, p: Promise<unknown>) => { try { show(label, await p) } catch (e) { const x = e as any; show(label + ' THREW', { class: x.errorClass, message: x.message, cause: String(x.cause ?? '') }) } }

const id = newId()
const body = { apiVersion: 'cloudffmpeg.dev/v1alpha1', kind: 'FfmpegCommand', metadata: { name: 'ffc-' + id, finalizers: ['cloudffmpeg.dev/record'], labels: { x: 'y' } }, spec: { commandId: id, account: 'default', commands: ['-i {{in_1}} {{out_1}}'], inputFiles: { in_1: 'https://user:pass@h.example/x?X-Amz-Signature=secret' }, outputFiles: { out_1: 'a.mp4' } } }
const made = await createOrFind(commands, n, body)
show('created', [made.created, made.object.metadata])
show('again', (await createOrFind(commands, n, body)).created)
const m = made.object.metadata
await tryIt('immutable', commands.mergePatch({ namespace: n, name: m.name }, { spec: { inputFiles: { in_1: 'https://other.example/?sig=SECRET2' } } }))
await tryIt('bad alias', commands.create(n, { ...body, metadata: { name: 'bad' }, spec: { ...body.spec, inputFiles: { 'nope': 'https://h.example/x?X-Amz-Signature=SECRET3' }, bogus: 1 } }))
await tryIt('bad type', commands.create(n, { ...body, metadata: { name: 'bad' }, spec: { ...body.spec, inputFiles: 'https://h.example/x?X-Amz-Signature=SECRET3' } }))
await tryIt('status', commands.mergePatchStatus({ namespace: n, name: m.name, uid: m.uid, resourceVersion: m.resourceVersion }, { state: 'QUEUED' }))
await tryIt('status stale', commands.mergePatchStatus({ namespace: n, name: m.name, resourceVersion: m.resourceVersion }, { state: 'PROCESSING' }))
await tryIt('wrong uid', commands.mergePatch({ namespace: n, name: m.name, uid: newId() }, { spec: { cancel: true } }))
await tryIt('delete wrong uid', commands.delete({ namespace: n, name: m.name, uid: newId() }))
await tryIt('delete', commands.delete({ namespace: n, name: m.name, uid: m.uid }))
const terminating = await commands.get(n, m.name)
show('terminating', terminating?.metadata.deletionTimestamp)
await tryIt('finalizer off', commands.mergePatch({ namespace: n, name: m.name, uid: m.uid, resourceVersion: terminating?.metadata.resourceVersion ?? '' }, { metadata: { finalizers: [] } }))
show('gone', await commands.get(n, m.name))
await tryIt('forbidden-ish 404 kind', pods.get('nope', 'x'))
// reflector
const changes: string[] = []
const stop = new AbortController()
const rm = createReflectorMetrics(registry)
for (let i = 0; i < 1203; i += 1) await leases.create(n, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: `l-${i}`, labels: { probe: '1' } }, spec: {} }).catch(() => null)
const reflector = createReflector({ resource: leases, namespace: n, labelSelector: 'probe', project: (l) => l, onChange: (c) => changes.push(c.type + ' ' + c.object.metadata.name), clock, random, metrics: rm, logger })
const run = reflector.run(stop.signal)
await reflector.synced
show('listed', reflector.list().length)
await leases.mergePatch({ namespace: n, name: 'l-1' }, { spec: { holderIdentity: 'x' } })
const l2 = reflector.get('l-2')
await leases.delete({ namespace: n, name: 'l-2', uid: l2?.metadata.uid ?? '' })
await sleep(clock, 300)
show('changes', changes.slice(-2))
// exact list
const page = await leases.listPage({ namespace: n, labelSelector: 'probe', limit: 500, exactVersion: m.resourceVersion })
show('exact', [page.items.length, page.resourceVersion === m.resourceVersion, page.continueToken !== null])
const now = await leases.listPage({ namespace: n, labelSelector: 'probe', limit: 500 })
await leases.delete({ namespace: n, name: 'l-3', uid: reflector.get('l-3')?.metadata.uid ?? '' })
const exact = await leases.listPage({ namespace: n, labelSelector: 'probe', limit: 500, exactVersion: now.resourceVersion })
const exact2 = await leases.listPage({ namespace: n, labelSelector: 'probe', limit: 500, exactVersion: now.resourceVersion, continueToken: exact.continueToken ?? '' })
show('exact now', [exact.items.length, exact.resourceVersion === now.resourceVersion, exact2.items.length, exact2.resourceVersion])
await tryIt('future exact', leases.listPage({ namespace: n, exactVersion: '99999999' }))
await tryIt('old watch', (async () => { const w = await leases.watch({ namespace: n, resourceVersion: '1', timeoutSeconds: 3, signal: stop.signal }); for await (const e of w) { return e.type } return 'ended' })())
// leader
const own = createKubeClient({ transport, clock, random, metrics: { answered() {}, waited() {} } })
const ls = createLeases(own)
const mk = (identity: string) => { const s = new AbortController(); const leader = createLeader({ leases: ls, namespace: n, name: 'op', identity, clock, onAcquired: () => show('acquired', identity), onLost: () => show('lost', identity), metrics: createLeaderMetrics(new Registry()), logger }); return { leader, s, end: leader.run(s.signal) } }
const a = mk('a'); await sleep(clock, 300); const b = mk('b'); await sleep(clock, 2500)
a.s.abort(); const t0 = clock.monotonicMs(); show('a end', await a.end)
while (!b.leader.isLeader()) await sleep(clock, 5)
show('handover ms', Math.round(clock.monotonicMs() - t0))
// events
const rec = createEventRecorder({ events, clock, newId, reportingController: 'cloudffmpeg.dev/operator', reportingInstance: 'op-0', enabled: true, logger })
const ref = { regarding: { apiVersion: 'cloudffmpeg.dev/v1alpha1', kind: 'FfmpegCommand', namespace: n, name: m.name, uid: m.uid }, type: 'Normal', reason: 'JobCreated', action: 'CreateJob', note: 'hello' } as const
rec.record(ref); rec.record(ref); rec.record(ref); await rec.flush()
show('events', (await events.listPage({ namespace: n })).items)
if (process.argv[2] === 'long') {
  const c0 = reflector.msSinceContact(); await sleep(clock, 120_000); show('contact', [c0, reflector.msSinceContact()])
  show('metrics', (await registry.metrics()).split('\n').filter((l) => /watch_|kube_requests_total/.test(l) && !l.startsWith('#')))
}
b.s.abort(); await b.end; stop.abort(); await run; await transport.close(); show('done', '')
