import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createMemoryStore } from '../../e2e/faults/simulator/memory-store.ts'
import { createVirtualClock } from '../../e2e/faults/simulator/virtual-clock.ts'
import { directly } from '../../common/failpoint.ts'
import { planWith } from '../../common/plans.fixture.ts'
import { createControllerMetrics } from '../controller-metrics.ts'
import { row } from '../situation.fixture.ts'
import { createAdmission } from './admit.ts'

const plan = planWith()
const account = { accountId: 'a', name: 'acme', plan: 'small' }

function created() {
  const clock = createVirtualClock()
  const store = createMemoryStore({ clock })
  const admitted: string[] = []
  const admission = createAdmission({
    store,
    plans: { small: plan },
    settings: { liveJobs: 2, passSeconds: 300 },
    term: { mustHold: () => undefined },
    effects: { clock, random: () => 0, newId: () => '', failpoint: directly },
    metrics: createControllerMetrics(new Registry()),
    onAdmitted: (ids) => admitted.push(...ids),
  })
  const submit = async (commandId: string, vcpuCount: number): Promise<void> => {
    await store.ensureAccount(account)
    await store.insertCommands([
      { ...row(), commandType: 'FFMPEG_COMMAND', ...account, commandId, vcpuCount },
    ])
    await store.markDispatched(commandId, `uid-${commandId}`)
  }
  const round = (): Promise<void> => admission.admitWaiting(new AbortController().signal)
  return { admission, admitted, submit, round }
}

describe('admission', () => {
  it('admits what fits and says of the rest what it lacks', async () => {
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

  it('tells the limit of the whole installation apart from the quota', async () => {
    const { admission, admitted, submit, round } = created()
    for (const id of ['1', '2', '3']) await submit(id, 1)
    await round()
    expect(admitted).to.deep.equal(['1', '2'])
    expect(admission.reason('a', 1)?.reason).to.equal('WaitingForCapacity')
  })

  it('forgets accounts that wait for nothing', async () => {
    const { admission, submit, round } = created()
    await submit('1', 1)
    await round()
    await round()
    expect(admission.reason('a', 1)).to.equal(null)
  })
})
