import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { runPath, useApp } from '../../testing/support/api/app.ts'

describe('headers that a proxy may read in another way', () => {
  const app = useApp()

  const answerTo = async (...lines: string[]): Promise<string> => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.write(`${lines.join('\r\n')}\r\n\r\n0\r\n\r\n`)
    await once(socket, 'close')
    return text
  }

  it('two hosts in the headers are refused, and the connection is closed', async () => {
    const text = await answerTo('GET /livez HTTP/1.1', 'Host: one.example', 'HOST: two.example')
    expect(text).to.match(/^HTTP\/1.1 400 .*Connection: close.*Send one Host header/s)
  })

  it('a transfer coding besides chunked is refused', async () => {
    for (const coding of ['identity, chunked', 'gzip, chunked', 'chunked, chunked']) {
      const headers = ['Host: one.example', `Transfer-Encoding: ${coding}`]
      const text = await answerTo(`POST ${runPath} HTTP/1.1`, ...headers)
      expect(text, coding).to.match(/^HTTP\/1.1 400 /)
    }
  })

  it('plain headers are accepted', async () => {
    const plain = ['Host: one.example', 'Transfer-Encoding: Chunked', 'Connection: close']
    const text = await answerTo(`POST ${runPath} HTTP/1.1`, ...plain)
    expect(text).to.match(/^HTTP\/1.1 401 /)
  })
})
