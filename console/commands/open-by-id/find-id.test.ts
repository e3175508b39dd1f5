import { expect } from 'chai'
import { anItem } from '../../shell/samples.fixture.ts'
import { scriptedService } from '../../shell/scripted-service.fixture.ts'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { findId, idPattern } from './find-id.ts'

const first = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'
const second = '0197a3f1-6c1e-7b52-9a51-2f5f0ceb6c46'

describe('opening a command by its id', () => {
  const fits = (typed: string) => [first, second].map((id) => idPattern(typed)?.fits(id) ?? null)

  it('idPattern fits ids by a part of them, and by both ends as the pages show them', () => {
    expect(fits(` ${first.toUpperCase()}\n`)).to.deep.equal([true, false])
    expect(fits('eb6c46')).to.deep.equal([false, true])
    for (const typed of ['0197…eb6c46', '0197...eb6c46', '…eb6c46']) {
      expect(fits(typed), typed).to.deep.equal([false, true])
    }
    expect(fits('0197')).to.deep.equal([true, true])
  })

  it('idPattern returns null for a short text, and for a text that an id cannot contain', () => {
    for (const typed of ['', '019', '…', '0…1', 'film.mp4', '0197 a3f1']) {
      expect(idPattern(typed), typed).to.equal(null)
    }
  })

  const found = (typed: string, shown: readonly string[]) => {
    const service = scriptedService()
    service.on('GET /v1/commands', () => [first, second].map((id) => anItem({ command_id: id })))
    const pattern = idPattern(typed)
    if (pattern === null) throw new Error(`${typed} cannot be in an id`)
    return findId(service.client, pattern, shown)
  }

  it('findId returns the command on the screen, or else one of the newest', async () => {
    expect(await found('0197a3f1', [second])).to.equal(second)
    expect(await found('9d1e01', [second])).to.equal(first)
    expect(await found(first, [])).to.equal(first)
  })

  it('findId rejects when several commands fit, or none', async () => {
    expect(String(await rejectionOf(found('0197', [])))).to.contain('2 commands have 0197')
    expect(String(await rejectionOf(found('abcd', [])))).to.contain('None of the newest 200')
  })
})
