import { expect } from 'chai'
import { anItem } from '../shell/samples.fixture.ts'
import { commandText, failureLine, metadataWords, tookWords } from './row-words.ts'

describe('the words of a row', () => {
  it('returns the text of a command, with the number of commands that follow it in a chain', () => {
    expect(commandText(anItem({ ffmpeg_command: '-i x y' }))).to.equal('-i x y')
    expect(commandText(anItem({ ffmpeg_command: 'a', steps_count: 3 }))).to.equal('a  (+ 2 more)')
    expect(commandText(anItem({ ffmpeg_command: null }))).to.equal(
      'Command a, whose request was deleted',
    )
  })

  it('returns the first line of the error when a command has failed, and null when it was cancelled', () => {
    const line = (change: object) => failureLine(anItem({ error_message: 'one\ntwo', ...change }))
    expect(line({ status: 'FAILED', error_status: 'TIMEOUT' })).to.equal('one')
    expect(line({ status: 'FAILED', error_status: 'CANCELLED' })).to.equal(null)
    expect(line({ status: 'PROCESSING' })).to.equal(null)
    expect(line({ status: 'FAILED', error_message: null })).to.equal('')
  })

  it('joins keys and values of the metadata, of each type', () => {
    expect(metadataWords({ metadata: { order: 17, film: 'a b', ok: false } })).to.equal(
      'order 17, film a b, ok false',
    )
    expect(metadataWords({ metadata: null })).to.equal('')
  })

  it('measures how long a command took from its start, and has no time when it never began', () => {
    const ended = { status: 'FAILED' as const, finished_at: '2026-05-19T18:01:00Z' }
    const created_at = '2026-05-19T18:00:00Z'
    expect(
      tookWords(anItem({ ...ended, created_at, started_at: '2026-05-19T18:00:48Z' }), 'x'),
    ).to.equal('12 s')
    expect(tookWords(anItem({ ...ended, created_at, started_at: null }), 'x')).to.equal('—')
    expect(tookWords(anItem({ status: 'PROCESSING' }), 'about 10 s left')).to.equal(
      'about 10 s left',
    )
    expect(tookWords(anItem({ status: 'QUEUED' }), '')).to.equal('—')
  })
})
