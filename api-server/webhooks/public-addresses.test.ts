import { expect } from 'chai'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { publicAddresses } from './public-addresses.ts'
import { connectionFault } from '../../common/network/connection-fault.ts'
import type { Socket } from 'node:dgram'

const addresses: Readonly<Record<string, Readonly<Record<number, Buffer>>>> = {
  'both.example': { 1: Buffer.from([192, 0, 2, 1]), 28: Buffer.alloc(16, 0x20) },
  'six.example': { 28: Buffer.alloc(16, 0x20) },
  'none.example': {},
}
const noSuchName = 3
const serverFailure = 2

describe('publicAddresses', () => {
  let server: Socket
  let resolve: ReturnType<typeof publicAddresses>
  before(async () => {
    server = createSocket('udp4', (query, { port, address }) => {
      server.send(answerTo(query), port, address)
    }).bind(0, '127.0.0.1')
    await once(server, 'listening')
    resolve = publicAddresses([`127.0.0.1:${server.address().port}`])
  })
  after(() => server.close())

  it('queries A and AAAA records and puts IPv4 first', async () => {
    const six = '2020:2020:2020:2020:2020:2020:2020:2020'
    expect(await resolve('both.example')).to.deep.equal(['192.0.2.1', six])
    expect(await resolve('six.example')).to.deep.equal([six])
  })

  for (const [name, sentence] of [
    ['none.example', 'has a host name without an address'],
    ['unknown.example', 'has a host name that does not exist'],
    ['broken.example', 'has a host name that could not be resolved'],
  ] as const) {
    it(`reports that ${name} ${sentence}`, async () => {
      const error = await rejectionOf(resolve(name))
      expect(connectionFault(error)?.sentence).to.equal(sentence)
    })
  }
})

/** RFC 1035 section 4: the query's header and question, with one answer where there is one. */
function answerTo(query: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = query.subarray(12, at + 5)
  const name = labels.join('.')
  const data = addresses[name]?.[query.readUInt16BE(at + 1)]
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  const code = name === 'broken.example' ? serverFailure : name in addresses ? 0 : noSuchName
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  if (data === undefined) return Buffer.concat([header, question])
  header.writeUInt16BE(1, 6)
  const record = Buffer.alloc(12)
  // The name of the question.
  record.writeUInt16BE(0xc00c, 0)
  query.copy(record, 2, at + 1, at + 5)
  record.writeUInt32BE(60, 6)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([header, question, record, data])
}
