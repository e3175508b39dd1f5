import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { useScratch } from '../../testing/support/scratch.ts'
import { serveLink } from './link-server.ts'

describe('serveLink', () => {
  const at = useScratch()

  it('reports a closed link when the peer ends with a message unread', async () => {
    const lost = Promise.withResolvers<Error>()
    const link = serveLink(at('link.sock'), { onLine: () => undefined, onLost: lost.resolve })
    const peer = connect(at('link.sock')).pause()
    await Promise.all([once(peer, 'connect'), link.connected])
    link.send({ type: 'memory', current: 1, peak: 2, limit: null }, false)
    peer.destroy()
    const { message, cause } = await lost.promise
    await link.close()
    expect(message).to.equal('the link was closed')
    expect(cause).to.have.property('code', 'ECONNRESET')
  })
})
