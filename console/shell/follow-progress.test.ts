import { expect } from 'chai'
import { createProgressNotes } from './follow-progress.ts'

describe('the progress that the console notes', () => {
  let nowMs = 0
  const create = () => createProgressNotes(() => nowMs)
  const at = (seconds: number, progress_percent: number | null, status = 'PROCESSING') => {
    nowMs = seconds * 1_000
    return [{ command_id: 'a', status: status as 'PROCESSING' | 'SUCCESS', progress_percent }]
  }

  it('the progress begins with the percent of a record', () => {
    const notes = create()
    notes.noteRecords(at(0, 10))
    notes.noteEvents(at(10, 55))
    expect(notes.words('a')).to.equal('about 10 s left')
  })

  it('progress is not taken for another attempt by a record that is older than an event', () => {
    const notes = create()
    notes.noteEvents(at(0, 10))
    notes.noteEvents(at(10, 55))
    notes.noteRecords(at(11, 50))
    expect(notes.words('a')).to.equal('about 10 s left')
    notes.noteRecords(at(12, null))
    expect(notes.words('a')).to.equal('about 10 s left')
  })

  it('the progress begins anew with an event of another attempt', () => {
    const notes = create()
    notes.noteEvents(at(0, 10))
    notes.noteEvents(at(10, 55))
    notes.noteEvents(at(20, 0))
    expect(notes.words('a')).to.equal(null)
  })

  it('the progress does not begin anew with a record that is older than the end', () => {
    const notes = create()
    notes.noteEvents(at(0, 10))
    notes.noteEvents(at(1, null, 'SUCCESS'))
    notes.noteRecords(at(2, 10))
    notes.noteRecords(at(12, 55))
    expect(notes.words('a')).to.equal(null)
    notes.noteEvents(at(22, 60))
    expect(notes.words('a'), 'no percent of a record was kept').to.equal(null)
  })

  it('keeps no more than 10,000 commands', () => {
    const notes = create()
    notes.noteEvents(at(0, 10))
    const others = Array.from({ length: 10_000 }, (_, index) => ({
      command_id: `b${index}`,
      status: 'PROCESSING' as const,
      progress_percent: 1,
    }))
    notes.noteEvents(others)
    notes.noteRecords(at(10, 5))
    notes.noteEvents(at(20, 10))
    expect(notes.words('a'), 'the record counts again').to.equal('about 3 min left')
  })
})
