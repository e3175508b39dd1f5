import { expect } from 'chai'
import { eventBody } from './event-body.ts'

const facts = {
  regarding: { apiVersion: 'v1', kind: 'Thing', namespace: 'n', name: 'a', uid: 'u' },
  type: 'Normal',
  reason: 'Seen',
  action: 'See',
  note: 'seen',
} as const
const reporter = { reportingController: 'controller', reportingInstance: 'pod' }
const moment = { now: new Date('2026-01-01T00:00:00Z'), suffix: 'b1' }

describe('the body of an Event', () => {
  it('names an Event after its object and its suffix', () => {
    expect(eventBody(facts, reporter, moment).metadata).to.deep.equal({
      name: 'a.b1',
      namespace: 'n',
    })
  })

  it('shortens the name of an Event when the name of its object has 253 characters', () => {
    const name = `${'a'.repeat(249)}.bcd`
    const { metadata } = eventBody(
      { ...facts, regarding: { ...facts.regarding, name } },
      reporter,
      moment,
    )
    expect(metadata.name).to.equal(`${'a'.repeat(249)}.b1`)
    expect(metadata.name.length).to.be.at.most(253)
  })
})
