import { expect } from 'chai'
import { evictionOf } from './eviction.ts'
import type { Eviction } from './eviction.ts'

/** Statuses as kubelets of 1.33 to 1.36 write them, blank at the end and all. */
const kubelet = 'TerminationByKubelet'
const recorded: readonly [message: string, disruption: string | null, Eviction | null][] = [
  ['Usage of EmptyDir volume "work" exceeds the limit "20Gi". ', null, 'DiskFull'],
  [
    'Pod ephemeral local storage usage exceeds the total limit of containers 21056Mi. ',
    null,
    'DiskFull',
  ],
  ['Container ffmpeg exceeded its local ephemeral storage limit "64Mi". ', null, 'DiskFull'],
  [
    'The node was low on resource: ephemeral-storage. Threshold quantity: 8049931407, available: 7640068Ki. ',
    kubelet,
    'NodePressure',
  ],
  [
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 98508Ki. ',
    kubelet,
    'NodePressure',
  ],
  [
    'The node was low on resource: inodes. Threshold quantity: 314572, available: 300102. ',
    kubelet,
    'NodePressure',
  ],
  [
    'The node was low on resource: pids. Threshold quantity: 3276, available: 3271. ',
    kubelet,
    'NodePressure',
  ],
  [
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 98508Ki. ' +
      'Container sidecar was using 913Mi, request is 10Mi, has larger consumption of memory. ',
    kubelet,
    'NodePressure',
  ],
  [
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 98508Ki. ' +
      'Container ffmpeg was using 1900664Ki, request is 205Mi, has larger consumption of memory. ',
    kubelet,
    'NodePressureAboveRequest',
  ],
  [
    'The node was low on resource: ephemeral-storage. Threshold quantity: 8049931407, available: 7640068Ki. ' +
      'Container transfer was using 300Mi, request is 256Mi, has larger consumption of ephemeral-storage. ',
    kubelet,
    'NodePressureAboveRequest',
  ],
  ['The node had condition: [DiskPressure]. ', null, 'Evicted'],
  ['', null, 'Evicted'],
  ['Usage of EmptyDir volume "work" exceeds the limit "20Gi". ', 'EvictionByEvictionAPI', null],
]

describe('evictionOf', () => {
  for (const [message, disruption, expected] of recorded) {
    it(`takes '${message}' with ${disruption ?? 'no disruption'} for ${expected ?? 'nothing'}`, () => {
      expect(evictionOf({ reason: 'Evicted', message, disruption })).to.equal(expected)
    })
  }

  it('uses the condition when the message was lost', () => {
    expect(evictionOf({ reason: 'Evicted', message: '', disruption: kubelet })).to.equal(
      'NodePressure',
    )
  })

  it('returns null for a pod that ended for another reason', () => {
    const message = 'Pod was terminated in response to imminent node shutdown.'
    expect(evictionOf({ reason: 'Terminated', message, disruption: kubelet })).to.equal(null)
  })
})
