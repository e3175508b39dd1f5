import { expect } from 'chai'
import { anItem } from '../shell/samples.fixture.ts'
import { commandText, failureLine, hasPicture, metadataWords, tookWords } from './row-words.ts'

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

  it('keeps room for a picture from the submission to the list that has its URL, or says that there is none', () => {
    const has = (change: object) =>
      hasPicture(anItem({ output_names: ['a.txt', 'b.MP4'], ...change }))
    const url = 'https://s3.example/b.mp4?signature=1'
    expect(
      [
        { status: 'QUEUED', preview_url: null },
        { status: 'SUCCESS' },
        { status: 'SUCCESS', preview_url: url },
      ].map(has),
    ).to.deep.equal([true, true, true])
    expect(
      [
        { status: 'SUCCESS', preview_url: null },
        { status: 'SUCCESS', preview_url: 'https://s3.example/b.mkv' },
        { status: 'FAILED' },
        { status: 'QUEUED', output_names: ['b.mkv'] },
        { status: 'QUEUED', output_names: null },
      ].map(has),
    ).to.deep.equal([false, false, false, false, false])
  })
})
