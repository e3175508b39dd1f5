import { expect } from 'chai'
import { pauseWords } from './pause-words.ts'

describe('pauseWords', () => {
  const paused_at = '2026-11-29T20:00:00.000000Z'

  it('the words of a pause name what is paused and the reason of the administrator', () => {
    expect(pauseWords({ what: 'admission', why: 'Disk swap until 14:00.', paused_at })).to.equal(
      'The start of commands is paused by an administrator: Disk swap until 14:00.',
    )
    expect(pauseWords({ what: 'submissions', why: 'Upgrade', paused_at })).to.equal(
      'New commands and files are paused by an administrator: Upgrade.',
    )
  })

  it('the words of a pause without a reason end behind its subject', () => {
    expect(pauseWords({ what: 'webhooks', why: ' ', paused_at })).to.equal(
      'The delivery of webhooks is paused by an administrator.',
    )
  })
})
