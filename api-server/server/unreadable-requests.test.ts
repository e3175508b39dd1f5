import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { useApp } from '../../testing/support/api/app.ts'

describe('requests that the parser refuses', () => {
  const app = useApp()

  const answerTo = async (request: string): Promise<string> => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.write(request)
    await once(socket, 'close')
    return text
  }

  const cases: [string, string, number, string][] = [
    [
      'headers above 16 KB',
      `GET /livez HTTP/1.1\r\nHost: a.example\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
  ]
  for (const [what, request, status, code] of cases) {
    it(`${what} are answered with JSON and a code, and the connection is closed`, async () => {
      const [head = '', body = ''] = (await answerTo(request)).split('\r\n\r\n')
      expect(head).to.match(
        new RegExp(`^HTTP/1\\.1 ${status} .*application/json.*Connection: close`, 's'),
      )
      expect(head).to.contain(`Content-Length: ${Buffer.byteLength(body)}`)
      expect(JSON.parse(body)).to.include({ code })
      expect(body).to.match(/\n$/)
    })
  }
})
