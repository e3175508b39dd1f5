import { expect } from 'chai'
import { isSaved } from './receiver.ts'

describe('isSaved', () => {
  const webhook = {
    url: 'https://app.example/hook',
    events: ['command.finished', 'file.stored'],
  } as const
  const saved = (url: string, ...events: Parameters<typeof isSaved>[0]['events']) =>
    isSaved({ url: webhook.url, events: [...webhook.events] }, url, new Set(events))

  it('isSaved returns true for the same URL and events, in any order and with blanks around the URL', () => {
    expect(saved(` ${webhook.url} `, 'file.stored', 'command.finished')).to.equal(true)
    expect(isSaved({ url: null, events: [] }, ' ', new Set())).to.equal(true)
  })

  it('isSaved returns false when the URL or an event differs', () => {
    expect(saved(`${webhook.url}s`, ...webhook.events)).to.equal(false)
    expect(saved(webhook.url, 'command.finished')).to.equal(false)
    expect(saved(webhook.url, ...webhook.events, 'file.failed')).to.equal(false)
    expect(saved(webhook.url, 'command.finished', 'file.failed')).to.equal(false)
  })
})
