import { expect } from 'chai'
import { cancelQuestion } from './cancel-question.ts'

const now = Date.parse('2026-05-19T18:10:00Z')
const since = (time: string) => ({ started_at: `2026-05-19T18:${time}Z` })

describe('cancelQuestion', () => {
  it('returns null when no command has run for more than a minute', () => {
    expect(cancelQuestion([{ started_at: null }, {}, since('09:00')], now)).to.equal(null)
    expect(cancelQuestion([], now)).to.equal(null)
  })

  it('names the time that is lost when a command has run for more than a minute', () => {
    expect(cancelQuestion([since('08:59')], now)).to.deep.equal({
      title: 'Cancel the command?',
      text: 'It has run for 1 min 1 s. That work is lost; the command can run again from its start.',
      verb: 'Cancel the command',
    })
  })

  it('counts the commands that have run long when several are cancelled', () => {
    const question = cancelQuestion([since('05:00'), since('09:50'), since('08:00')], now)
    expect(question?.verb).to.equal('Cancel 3 commands')
    expect(question?.text).to.contain('2 of them have run for more than a minute, at most 5 min.')
  })
})
