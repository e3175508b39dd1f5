import { expect } from 'chai'
import { deletedNote } from './deleted-note.ts'

describe('the note on a deleted file', () => {
  it('says that the file is missing when it was lost, and only that it is deleted otherwise', () => {
    const lost = { status: 'STORED', external_error_message: 'The stored file is missing' } as const
    expect(deletedNote(lost)).to.equal('The stored file is missing. The record stays.')
    for (const file of [
      { status: 'STORED', external_error_message: null },
      { status: 'FAILED', external_error_message: 'Deleted by request' },
    ] as const) {
      expect(deletedNote(file)).to.equal('Deleted. The record stays.')
    }
  })
})
