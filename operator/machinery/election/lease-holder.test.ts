import { expect } from 'chai'
import { holderHasEnded, identityOf, parseIdentity } from './lease-holder.ts'
import type { ContainerState, Pod } from '../../../common/kubernetes/resources/objects.ts'

const holder = {
  podName: 'media-operator-6f7c-x2x',
  podUid: '7a0b6f7e-5f0e-4d53-8d0e-0c5c6b1e9a11',
  startedAt: new Date('2026-05-01T10:00:05.300Z'),
}

describe('the identity of a holder of the Lease', () => {
  it('parses the identity that it made of pod, UID and start', () => {
    const identity = identityOf(holder)
    expect(identity).to.equal(
      'media-operator-6f7c-x2x_7a0b6f7e-5f0e-4d53-8d0e-0c5c6b1e9a11_2026-05-01T10:00:05.300Z',
    )
    expect(parseIdentity(identity)).to.deep.equal(holder)
  })

  for (const text of ['', 'media-operator-6f7c-x2x', 'a_b', 'a_b_c', 'a_b_2026-05-01_d']) {
    it(`returns null when the identity is ${JSON.stringify(text)}`, () => {
      expect(parseIdentity(text)).to.equal(null)
    })
  }
})

describe('holderHasEnded', () => {
  const cases: [string, Pod | null, boolean][] = [
    ['its container runs', podWith(running('10:00:04')), false],
    ['the pod is gone', null, true],
    ['another pod has the name', podWith(running('10:00:04'), { uid: 'other' }), true],
    ['the pod has failed', podWith(running('10:00:04'), { phase: 'Failed' }), true],
    ['its container has ended', podWith(ended('10:00:04', '10:03:00')), true],
    [
      'its container has been started again',
      podWith(running('10:03:01'), { lastState: ended('10:00:04', '10:03:00') }),
      true,
    ],
    [
      'an earlier run of its container has ended',
      podWith(running('10:00:04'), { lastState: ended('09:00:00', '10:00:03') }),
      false,
    ],
    [
      'the status still shows the end of an earlier run',
      podWith(ended('09:00:00', '10:00:03')),
      false,
    ],
    [
      'an earlier run ended in the second of its start',
      podWith(running('10:00:05'), { lastState: ended('10:00:00', '10:00:05') }),
      false,
    ],
    ['its container has no status yet', podWith(null), false],
  ]
  for (const [situation, pod, expected] of cases) {
    it(`returns ${expected} when ${situation}`, () => {
      expect(holderHasEnded(holder, pod, 'operator')).to.equal(expected)
    })
  }
})

function podWith(
  state: ContainerState | null,
  {
    uid = holder.podUid,
    phase = 'Running' as Pod['status']['phase'],
    lastState = null as ContainerState | null,
  } = {},
): Pod {
  const container = {
    name: 'operator',
    ready: true,
    showsResources: false,
    restartCount: 0,
    lastState,
  }
  return {
    metadata: { name: holder.podName, uid, resourceVersion: '1' },
    spec: { nodeName: 'node', containers: [] },
    status: {
      phase,
      reason: null,
      message: null,
      startTime: null,
      conditions: [],
      containers: state === null ? [] : [{ ...container, state }],
    },
  }
}

function running(time: string): ContainerState {
  return { kind: 'running', startedAt: `2026-05-01T${time}Z` }
}

function ended(from: string, to: string): ContainerState {
  const times = { startedAt: `2026-05-01T${from}Z`, finishedAt: `2026-05-01T${to}Z` }
  return { kind: 'terminated', exitCode: 137, signal: null, reason: null, message: null, ...times }
}
