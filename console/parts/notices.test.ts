import { expect } from 'chai'
import { ApiError, NoAnswerError } from '../../cli/client/errors.ts'
import { reasonOf } from './notices.ts'

describe('reasonOf', () => {
  const refused = (detail: string) =>
    reasonOf(
      new ApiError({ status: 400, detail, mistakes: [], retryAfterSeconds: null, requestId: null }),
    )

  it('reasonOf returns the answer of the service as a sentence with one full stop', () => {
    expect(['No', 'No.', 'No?', 'No!'].map(refused)).to.deep.equal(['No.', 'No.', 'No.', 'No.'])
    expect(refused('See a.b')).to.equal('See a.b.')
  })

  it('reasonOf warns before a repetition when the service has not answered, since it may have acted', () => {
    expect(reasonOf(new NoAnswerError('http://x', new Error('y')))).to.contain(
      'before you repeat it',
    )
  })

  it('reasonOf returns the message of any other error, and any other value as text', () => {
    expect(reasonOf(new Error('The browser refused'))).to.equal('The browser refused')
    expect(reasonOf('text')).to.equal('text')
  })
})
