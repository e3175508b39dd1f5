import { expect } from 'chai'
import type { Session } from './session.ts'

export function describeFigures(session: () => Session): void {
  describe('figures', () => {
    let store: Session['store']
    let age: Session['age']
    let submit: Session['submit']
    let run: Session['run']
    beforeEach(() => {
      ;({ store, age, submit, run } = session())
    })

    it('measures what waits', async () => {
      const before = await store.gauges()
      await submit({ vcpuCount: 5 })
      await run('pod-1', { vcpuCount: 3 })
      await age(100)
      const gauges = await store.gauges()
      expect(gauges.queuedVcpus - before.queuedVcpus).to.equal(5)
      expect(gauges.ledgerVcpus - before.ledgerVcpus).to.equal(3)
      expect(gauges.byStatus['PROCESSING']).to.equal((before.byStatus['PROCESSING'] ?? 0) + 1)
      expect(gauges.undispatchedSeconds).to.be.at.least(100)
      expect(gauges.oldestQueuedSeconds).to.be.at.least(100)
      expect(gauges.unmirroredSeconds).to.be.at.least(100)
    })
  })
}
