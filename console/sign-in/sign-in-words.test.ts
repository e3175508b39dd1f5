import { expect } from 'chai'
import { scriptedService, status } from '../shell/scripted-service.fixture.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { isReadable, pastedKey, refusalWords } from './sign-in-words.ts'

describe('words of the sign-in', () => {
  it('refusalWords says what keys look like when the service does not know one, and else the reason', async () => {
    const service = scriptedService()
    const refusal = async (code: number) => {
      service.on('GET /v1/usage', () => status(code, 'Paused'))
      return refusalWords(await rejectionOf(service.client.getUsage()))
    }
    expect(await refusal(401)).to.equal(
      'This service does not know that key. Keys begin with cff_.',
    )
    expect(await refusal(403)).to.equal('Paused.')
  })

  it('pastedKey returns a word without the blanks around it, and null for other texts', () => {
    expect(pastedKey(' cff_a\n')).to.equal('cff_a')
    for (const text of ['', ' ', 'cff_a cff_b']) expect(pastedKey(text), text).to.equal(null)
  })

  it('isReadable returns true only for plain http to another computer', () => {
    const of = (url: string) => isReadable(new URL(url))
    expect(of('http://service.example')).to.equal(true)
    const safe = ['https://service.example', 'http://localhost', 'http://127.0.0.1', 'http://[::1]']
    expect(safe.map(of)).to.deep.equal([false, false, false, false])
  })
})
