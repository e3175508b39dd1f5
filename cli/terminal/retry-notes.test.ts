import { expect } from 'chai'
import { ApiError, NoAnswerError } from '../client/errors.ts'
import { retryNotes } from './retry-notes.ts'

const paused = new ApiError({
  status: 503,
  detail: 'Submissions are paused: the storage moves. Try again later.',
  mistakes: [],
  retryAfterSeconds: 30,
  requestId: null,
})

describe('the note about a call that waits', () => {
  const noted = (error: ApiError | NoAnswerError, waitMs: number): string[] => {
    const lines: string[] = []
    retryNotes((line) => lines.push(line))({ error, waitMs })
    return lines
  }

  it('the note has the reason of the service and the seconds when submissions are paused', () => {
    expect(noted(paused, 30_000)).to.deep.equal([
      'the service answers 503: Submissions are paused: the storage moves. Try again later; the next attempt is in 30 s',
    ])
  })

  it('the note has the address when there is no answer', () => {
    const [line] = noted(new NoAnswerError('http://a.example/v1', new Error('gone')), 4_000)
    expect(line).to.equal('no answer from http://a.example: gone; the next attempt is in 4 s')
  })

  it('the note is not printed when the wait is short', () => {
    expect(noted(paused, 900)).to.deep.equal([])
  })
})
