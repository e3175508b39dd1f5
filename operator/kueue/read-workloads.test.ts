import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { loggerWith } from '../../common/runtime/logger.ts'
import { defaultResources } from '../../testing/simulator/kube-apiserver/objects/default-resources.ts'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { job } from '../../testing/support/operator/snapshot.ts'
import { createWorkloadMessages } from './read-workloads.ts'
import { createWorkloads, jobUidLabel } from './workloads.ts'
import type { Failpoint } from '../../common/runtime/effects.ts'
import type { JobFacts } from '../observe/job-facts.ts'

const forbidden = { answer: { status: 403, reason: 'Forbidden' } } as const
const betweenMs = 5_000

describe('the messages of Workloads', () => {
  function world({ resources = defaultResources, failpoint = directly as Failpoint } = {}) {
    const clock = createVirtualClock()
    const server = createFakeKubeApiserver({ clock, random: () => 0.5, resources })
    const jobs = new Map<string, JobFacts>()
    const changed: string[] = []
    const lines: string[] = []
    const messages = createWorkloadMessages({
      workloads: createWorkloads(
        createKubeClient({
          transport: server.transport,
          clock,
          random: () => 0.5,
          metrics: createKubeMetrics(new Registry()),
        }),
      ),
      caches: { jobs: { list: () => [...jobs.values()] } },
      changed: (commandId) => changed.push(commandId),
      term: { mustHold: () => undefined },
      effects: { clock, random: () => 0.5, newId: () => 'unused', failpoint },
      logger: loggerWith({}, (level, message) => lines.push(`${level} ${message}`)),
    })
    return {
      clock,
      server,
      jobs,
      changed,
      lines,
      messages,
      said: (id: string) => messages.messageOf(id, null),
      lists: () => server.calls.filter(({ verb, kind }) => verb === 'list' && kind === 'Workload'),
      suspend: (id: string, changes: Partial<JobFacts> = {}) => {
        const { metadata } = job()
        jobs.set(id, {
          ...job({ queued: true, suspended: true }),
          commandId: id,
          metadata: { ...metadata, name: id, uid: `uid-${id}` },
          ...changes,
        })
      },
      says: (id: string, message: string) => {
        if (server.cluster.get('Workload', 'media', id) === null) {
          const metadata = { name: id, labels: { [jobUidLabel]: `uid-${id}` } }
          server.cluster.create('Workload', 'media', { metadata, spec: {} })
        }
        server.cluster.updateStatus('Workload', 'media', id, () => ({
          conditions: [{ type: 'QuotaReserved', status: 'False', reason: 'Pending', message }],
        }))
      },
      rounds: async (count: number) => {
        for (let round = 0; round < count; round += 1) {
          await clock.until(messages.round(new AbortController().signal))
          await clock.advance(betweenMs)
        }
      },
    }
  }

  it('are read once a Job was suspended for a round, and again after a minute', async () => {
    const { said, says, suspend, rounds, changed, lists } = world()
    suspend('a')
    says('a', 'no room')
    await rounds(1)
    expect(lists()).to.deep.equal([])
    await rounds(1)
    expect(said('a')).to.equal('no room')
    says('a', 'some room')
    await rounds(11)
    expect(said('a')).to.equal('no room')
    await rounds(2)
    expect(said('a')).to.equal('some room')
    expect(changed).to.deep.equal(['a', 'a'])
    expect(lists()).to.have.length(2)
  })

  it('are not read for Jobs that run, are in no queue, or end', async () => {
    const { suspend, rounds, lists } = world()
    suspend('running', { suspended: false })
    suspend('by-hand', { queued: false })
    suspend('ending', { deleting: true })
    await rounds(3)
    expect(lists()).to.deep.equal([])
  })

  it('are forgotten when the Job is resumed, or is another', async () => {
    const { said, says, suspend, rounds } = world()
    suspend('a')
    says('a', 'no room')
    await rounds(2)
    const next = { ...job().metadata, name: 'a', uid: 'uid-of-the-next-round' }
    suspend('a', { metadata: next })
    await rounds(2)
    expect(said('a')).to.equal(null)
    suspend('a')
    await rounds(2)
    expect(said('a')).to.equal('no room')
    suspend('a', { suspended: false })
    await rounds(1)
    expect(said('a')).to.equal(null)
  })

  it('are read for 50 Jobs with one request in each round, and for all of them in turn', async () => {
    const { said, says, suspend, rounds, lists } = world()
    const ids = Array.from({ length: 120 }, (_, index) => `c-${index}`)
    for (const id of ids) {
      suspend(id)
      says(id, `${id} waits`)
    }
    await rounds(4)
    expect(lists()).to.have.length(3)
    expect(ids.map((id) => said(id))).to.deep.equal(ids.map((id) => `${id} waits`))
    const selected = lists().map(({ query }) => query['labelSelector']?.split(',').length)
    expect(selected).to.deep.equal([50, 50, 20])
  })

  it('keep what was shown or read when the Workload says nothing', async () => {
    const { messages, server, says, suspend, rounds } = world()
    suspend('a')
    expect(messages.messageOf('a', 'shown before')).to.equal('shown before')
    says('a', 'no room')
    await rounds(2)
    server.cluster.delete('Workload', 'media', 'a')
    await rounds(13)
    expect(messages.messageOf('a', 'shown before')).to.equal('no room')
  })

  it('report a missing permission once, and are read again five minutes after it', async () => {
    const { server, said, says, suspend, rounds, lists, lines } = world()
    suspend('a')
    says('a', 'no room')
    server.faults.next({ kind: 'Workload' }, forbidden, 2)
    await rounds(62)
    expect(lists()).to.have.length(2)
    expect(lines).to.deep.equal([
      'warn cannot read the Workloads of Kueue: commands do not show what they wait for there',
    ])
    await rounds(61)
    expect(said('a')).to.equal('no room')
  })

  it('report once that the cluster does not serve Workloads', async () => {
    const resources = defaultResources.filter(({ kind }) => kind !== 'Workload')
    const { said, suspend, rounds, lines } = world({ resources })
    suspend('a')
    await rounds(130)
    expect(said('a')).to.equal(null)
    expect(lines).to.have.length(1)
  })

  it('are read in the next round after a request that failed', async () => {
    let isBroken = true
    const failpoint: Failpoint = (name, effect) => {
      if (isBroken && name === 'operator.workloads_read') throw new Error('no answer')
      return effect()
    }
    const { said, says, suspend, rounds } = world({ failpoint })
    suspend('a')
    says('a', 'no room')
    const error: unknown = await rounds(2).catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/no answer/)
    isBroken = false
    await rounds(1)
    expect(said('a')).to.equal('no room')
  })
})
