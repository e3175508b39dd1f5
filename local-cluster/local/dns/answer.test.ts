import { expect } from 'chai'
import fc from 'fast-check'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { answerQuery } from './answer.ts'

const names = new Map([['api.shop.svc.cluster.local', '10.96.0.7']])

describe('the cluster DNS', () => {
  it('answers a real resolver: known names, other types of them, and unknown names', async () => {
    const server = createSocket('udp4')
    server.on('message', (query, peer) => {
      const answer = answerQuery(query, names)
      if (answer !== undefined) server.send(answer, peer.port, peer.address)
    })
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
    try {
      const resolver = new Resolver({ timeout: 2000, tries: 1 })
      resolver.setServers([`127.0.0.1:${server.address().port}`])
      expect(await resolver.resolve4('API.shop.svc.cluster.local')).to.deep.equal(['10.96.0.7'])
      expect(await codeOf(resolver.resolve6('api.shop.svc.cluster.local'))).to.equal('ENODATA')
      expect(await codeOf(resolver.resolve4('api.shop'))).to.equal('ENOTFOUND')
    } finally {
      server.close()
    }
  })

  it('the cluster DNS survives any packet', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        answerQuery(Buffer.from(bytes), names)
      }),
    )
  })
})

async function codeOf(lookup: Promise<unknown>): Promise<unknown> {
  try {
    await lookup
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}
