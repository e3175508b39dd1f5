import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createGonePods } from './deleted-pods.ts'
import { commandId, pod } from '../../testing/support/operator/snapshot.ts'

describe('createGonePods', () => {
  it('keeps the last state of a pod for ten minutes', async () => {
    const clock = createVirtualClock()
    const gone = createGonePods(clock)
    gone.add(pod({ uid: 'a' }))
    expect(gone.of(commandId)).to.have.length(1)
    expect(gone.byUid('a')?.metadata.uid).to.equal('a')
    await clock.advance(10 * 60_000)
    gone.add(pod({ uid: 'b' }))
    expect(gone.of(commandId).map(({ metadata }) => metadata.uid)).to.deep.equal(['b'])
    expect(gone.byUid('a')).to.equal(null)
  })

  it('the deleted pods that are not ours are not kept', () => {
    const gone = createGonePods(createVirtualClock())
    gone.add(pod({ uid: 'a', commandId: null }))
    expect(gone.byUid('a')).to.equal(null)
  })
})
