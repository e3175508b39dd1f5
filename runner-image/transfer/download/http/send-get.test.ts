import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { Server } from 'node:http'
import type net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { closed, listen } from '../../../../testing/runner/servers.ts'
import { testEffects } from '../../../../testing/runner/test-effects.ts'
import { directPool } from './connection-pool.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { sendGet } from './send-get.ts'
import type { UrlResponse } from './carry-response.ts'

const body = randomBytes(3_000_001)

for (const scheme of ['http', 'https'] as const) {
  describe(`requesting a URL by ${scheme}`, () => {
    let certificate: { key: string; cert: string }
    let trusted: string[]
    let pool: ConnectionPool
    let server: Server
    let connections: net.Socket[]
    let handler: http.RequestListener

    before(async () => {
      certificate = await selfSigned()
      trusted = tls.getCACertificates('default')
      tls.setDefaultCACertificates([...trusted, certificate.cert])
    })
    after(() => {
      tls.setDefaultCACertificates(trusted)
    })
    beforeEach(() => {
      pool = directPool(testEffects().clock)
      connections = []
      const listener: http.RequestListener = (request, response) => {
        handler(request, response)
      }
      server =
        scheme === 'http' ? http.createServer(listener) : https.createServer(certificate, listener)
      server.on(scheme === 'http' ? 'connection' : 'secureConnection', (socket: net.Socket) => {
        connections.push(socket)
      })
    })
    afterEach(async () => {
      pool.close()
      server.closeAllConnections()
      await closed(server)
    })

    async function get(signal = new AbortController().signal): Promise<UrlResponse> {
      if (!server.listening) await listen(server)
      const address = server.address()
      if (typeof address !== 'object' || address === null) throw new Error('it does not listen')
      const url = new URL(`${scheme}://127.0.0.1:${String(address.port)}/a`)
      return sendGet(url, {}, pool, signal).response
    }

    it('gives a body of a known length, and uses the connection again', async () => {
      handler = (_request, response) => {
        response.writeHead(200, { 'content-length': body.length }).end(body)
      }
      expect((await bytesOf(await get())).equals(body)).to.equal(true)
      expect((await bytesOf(await get())).equals(body)).to.equal(true)
      expect(connections.length).to.equal(1)
    })

    it('reads into the memory that it is given', async () => {
      handler = (_request, response) => {
        response.writeHead(200, { 'content-length': body.length }).end(body)
      }
      const memory = Buffer.alloc(body.length)
      let place = 0
      let read = 0
      const response = await get()
      await response.read(
        (piece) => {
          if (piece.buffer === memory.buffer) place += piece.length
          read += piece.length
          return true
        },
        () => memory.subarray(place),
      )
      expect(read).to.equal(body.length)
      expect(place).to.be.above(body.length / 2)
      expect(body.includes(memory.subarray(0, place))).to.equal(true)
    })

    it('gives a body in chunks', async () => {
      handler = (_request, response) => {
        response.write(body.subarray(0, 1000))
        response.end(body.subarray(1000))
      }
      expect((await bytesOf(await get())).equals(body)).to.equal(true)
    })

    it('the client waits while the reader is not ready', async () => {
      handler = (_request, response) => {
        response.writeHead(200, { 'content-length': body.length }).end(body)
      }
      const pieces: Buffer[] = []
      const response = await get()
      await response.read(async (piece) => {
        pieces.push(Buffer.from(piece))
        await promisify(setImmediate)()
      })
      expect(Buffer.concat(pieces).equals(body)).to.equal(true)
    })

    it('gives what came before anybody read it, and before the server closed', async () => {
      handler = (_request, response) => {
        response.writeHead(200, { connection: 'close', 'content-length': 5 }).end('bytes')
      }
      const response = await get()
      const [connection] = connections
      if (connection?.closed === false) await Promise.race([once(connection, 'close'), turns(50)])
      expect((await bytesOf(response)).toString()).to.equal('bytes')
    })

    it('finds the head behind an interim answer, however it is cut', async () => {
      handler = ({ socket }) => {
        const answer =
          'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n' +
          'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nbytes'
        void answer.split('').reduce(async (before, letter) => {
          await before
          socket.write(letter)
          await promisify(setImmediate)()
        }, Promise.resolve())
      }
      expect((await bytesOf(await get())).toString()).to.equal('bytes')
    })

    it('the client does not use a connection again on which unrequested bytes arrived', async () => {
      handler = (_request, response) => {
        response.writeHead(200, { 'content-length': 5 }).end('bytes')
      }
      await bytesOf(await get())
      const [connection] = connections
      if (connection === undefined) throw new Error('the client has not connected')
      const closing = once(connection, 'close')
      connection.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil')
      await closing
      expect((await bytesOf(await get())).toString()).to.equal('bytes')
      expect(connections.length).to.equal(2)
    })

    it('ends a body with what ended the command', async () => {
      const stop = new AbortController()
      handler = (_request, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('bytes')
      }
      const response = await get(stop.signal)
      const reason = new Error('cancelled')
      const reading = response.read(() => {
        stop.abort(reason)
        return true
      })
      expect(await reading.catch((error: unknown) => error)).to.equal(reason)
    })
  })
}

async function bytesOf(response: UrlResponse): Promise<Buffer> {
  const pieces: Buffer[] = []
  await response.read((piece) => pieces.push(Buffer.from(piece)) > 0)
  return Buffer.concat(pieces)
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await promisify(setImmediate)()
}

async function selfSigned(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  try {
    await promisify(execFile)(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        'key.pem',
        '-out',
        'cert.pem',
        '-days',
        '2',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
      ],
      { cwd: folder },
    )
    const [key, cert] = await Promise.all(
      ['key.pem', 'cert.pem'].map((name) => readFile(join(folder, name), 'utf8')),
    )
    return { key: key ?? '', cert: cert ?? '' }
  } finally {
    await rm(folder, { recursive: true })
  }
}
