import { expect } from 'chai'
import { newId, newCommand, queuedStep } from './fixtures.ts'
import type { Session } from './session.ts'

export function describeImport(session: Session): void {
  describe('import', () => {
    const { store, admit, row } = session

    it('inserts once', async () => {
      const command = { ...newCommand(session.accountId), resourceUid: newId() }
      expect(await store.importCommand(command)).to.equal('inserted')
      expect(await store.importCommand(command)).to.equal('exists')
      expect(await row(command.commandId)).to.deep.include({
        status: 'QUEUED',
        resourceUid: command.resourceUid,
      })
    })

    it('records a refused command as failed, with nothing to admit or release', async () => {
      const command = {
        ...newCommand(session.accountId),
        resourceUid: newId(),
        errorMessage: 'no such option',
      }
      expect(await store.importRefused(command)).to.equal('inserted')
      expect(await row(command.commandId)).to.deep.include({
        status: 'FAILED',
        errorStatus: 'INVALID_COMMAND',
        errorMessage: 'no such option',
        released: true,
        steps: [{ ...queuedStep, status: 'SKIPPED' }],
      })
      expect((await admit()).admitted).to.deep.equal([])
    })
  })
}
