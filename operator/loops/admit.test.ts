import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createMemoryStore } from '../../testing/simulator/memory-store/memory-store.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { planWith } from '../../testing/support/plans.ts'
import { createControllerMetrics } from '../apply/controller-metrics.ts'
import { row } from '../decide/snapshot.fixture.ts'
import { createAdmission } from './admit.ts'
import type { AdmissionSettings } from './admit.ts'

const plan = planWith()
const account = { accountId: 'a', name: 'acme', plan: 'small' }
const other = { accountId: 'b', name: 'globex', plan: 'small' }

function created(settings: Partial<AdmissionSettings> = {}) {
  const clock = createVirtualClock()
  const store = createMemoryStore({ clock })
  const failing = new Set<string>()
  const tried: string[] = []
  const admitted: string[] = []
  const admission = createAdmission({
    store: {
      findWaiting: (query) => store.findWaiting(query),
      recordWaitReasons: (reasons) => store.recordWaitReasons(reasons),
      async admit(wanted) {
        tried.push(wanted.accountId)
        if (failing.has(wanted.accountId)) throw new Error('canceling statement')
        return store.admit(wanted)
      },
    },
    plans: { small: plan },
    caches: { podsOf: () => [] },
    settings: {
      ...{ liveJobs: 2, liveFileJobs: 1, capacityVcpus: null, reservedShare: 0, passSeconds: 300 },
      ...settings,
    },
    logger: silentLogger,
    term: { mustHold: () => undefined },
    effects: { clock, random: () => 0.5, newId: () => '', failpoint: directly },
    metrics: createControllerMetrics(new Registry()),
    onAdmitted: (ids) => admitted.push(...ids),
  })
  const submit = async (commandId: string, vcpuCount: number, owner = account): Promise<void> => {
    await store.ensureAccount(owner)
    await store.insertCommands([
      { ...row(), commandType: 'FFMPEG_COMMAND', ...owner, commandId, vcpuCount },
    ])
    await store.markDispatched(commandId, `uid-${commandId}`)
  }
  const round = (): Promise<void> => admission.admitWaiting(new AbortController().signal)
  return { admission, admitted, submit, round, clock, failing, tried, store }
}

describe('admission', () => {
  it('admits the commands that fit the quota and returns why the others wait', async () => {
    const { admission, admitted, submit, round } = created()
    await submit('1', 3)
    await submit('2', 2)
    await round()
    expect(admitted).to.deep.equal(['1'])
    expect(admission.reason('a', 2)).to.deep.equal({
      reason: 'WaitingForQuota',
      message: 'Needs 2 vCPUs; the account uses 3 of its 4',
    })
  })

  it('returns WaitingForCapacity when the limit of the installation is reached', async () => {
    const { admission, admitted, submit, round } = created()
    for (const id of ['1', '2', '3']) await submit(id, 1)
    await round()
    expect(admitted).to.deep.equal(['1', '2'])
    expect(admission.reason('a', 1)?.reason).to.equal('WaitingForCapacity')
  })

  it('returns no reason when the account has no waiting command', async () => {
    const { admission, submit, round } = created()
    await submit('1', 1)
    await round()
    await round()
    expect(admission.reason('a', 1)).to.equal(null)
  })

  it('admits the commands of other accounts when the admission of one fails', async () => {
    const { admitted, submit, round, failing } = created()
    await submit('1', 1)
    await submit('2', 1, other)
    failing.add('a')
    await round()
    expect(admitted).to.deep.equal(['2'])
  })

  it('retries an account whose admission fails after 1 s, doubling up to 5 min', async () => {
    const { submit, round, failing, tried, clock, admitted } = created()
    await submit('1', 1)
    failing.add('a')
    const triedAtSeconds: number[] = []
    for (let second = 0; second < 1_500; second += 1) {
      const before = tried.length
      await round()
      if (tried.length > before) triedAtSeconds.push(second)
      await clock.advance(1_000)
    }
    expect(triedAtSeconds).to.deep.equal([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1_111, 1_411])
    failing.clear()
    await clock.advance(300_000)
    await round()
    expect(admitted).to.deep.equal(['1'])
  })

  it('throws the error of a round when five admissions in a row fail', async () => {
    const { submit, round, failing, tried } = created({ liveJobs: 100 })
    for (let index = 0; index < 9; index += 1) {
      const owner = { accountId: `a${index}`, name: `acme-${index}`, plan: 'small' }
      await submit(`${index}`, 1, owner)
      failing.add(owner.accountId)
    }
    const error: unknown = await round().catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'canceling statement')
    expect(tried).to.have.length(5)
    // The next round begins with those that were not tried.
    await round().catch((reason: unknown) => reason)
    expect(new Set(tried).size).to.equal(9)
  })
})
