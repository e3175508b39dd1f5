import { expect } from 'chai'
import { ApiError } from '../../cli/client/errors.ts'
import { isSaved, urlProblem } from './receiver.ts'

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

describe('urlProblem', () => {
  const refused = (loc: readonly string[]) =>
    new ApiError({
      status: 422,
      detail: 'x',
      mistakes: [
        { loc: [...loc], msg: 'localhost is not public; upload the file', type: 'value_error' },
      ],
      retryAfterSeconds: null,
      requestId: null,
    })

  it('urlProblem returns the reason when the service refused the URL, and null for any other error', () => {
    expect(urlProblem(refused(['body', 'url']))).to.match(/^localhost is not public\. Events go to/)
    expect(urlProblem(refused(['body', 'events']))).to.equal(null)
    expect(urlProblem(new Error('away'))).to.equal(null)
  })
})
