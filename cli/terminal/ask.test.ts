import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { createAsker } from './ask.ts'

describe('questions', () => {
  it('questions take the lines of an input other than a terminal, and nothing at its end', async () => {
    const input = new PassThrough()
    let shown = ''
    const asker = createAsker(input, { write: (text) => (shown += text) })
    input.end('https://media.example.com\ncff_key\n')
    expect(await asker.ask('Address: ')).to.equal('https://media.example.com')
    expect(await asker.ask('Key: ', { isSecret: true })).to.equal('cff_key')
    expect(await asker.ask('More: ')).to.equal('')
    asker.close()
    expect(shown).to.equal('Address: Key: More: ')
  })

  it('a question does not show a secret that is typed on a terminal', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
    let shown = ''
    const asker = createAsker(input, { write: (text) => (shown += text) })
    const secret = asker.ask('Key: ', { isSecret: true })
    input.write('cff_secret\r')
    expect(await secret).to.equal('cff_secret')
    const open = asker.ask('Address: ')
    input.write('http://a\r')
    expect(await open).to.equal('http://a')
    asker.close()
    expect(shown).to.contain('Key: \n').and.to.contain('http://a').and.not.to.contain('secret')
  })
})
