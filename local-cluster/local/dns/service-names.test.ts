import { expect } from 'chai'
import { parseServiceList, parseWatchLine } from './service-names.ts'

const service = (clusterIP: string) => ({
  metadata: { name: 'api', namespace: 'shop' },
  spec: { clusterIP },
})
const line = (type: string, object: unknown) => JSON.stringify({ type, object })

describe('names of Services', () => {
  it('names of Services come and go with watch events', () => {
    const name = 'api.shop.svc.cluster.local'
    const there = { name, address: '10.96.0.7', kind: 'there' }
    expect(parseWatchLine(line('ADDED', service('10.96.0.7')))).to.deep.equal(there)
    expect(parseWatchLine(line('MODIFIED', service('10.96.0.7')))).to.deep.equal(there)
    expect(parseWatchLine(line('DELETED', service('10.96.0.7')))).to.include({ name, kind: 'gone' })
    expect(parseWatchLine(line('BOOKMARK', {}))).to.equal('bookmark')
  })

  it('names of Services begin anew after an error in the stream', () => {
    const expired = { kind: 'Status', code: 410, metadata: {} }
    expect(parseWatchLine(line('ERROR', expired))).to.equal(undefined)
  })

  it('a name has no address where the Service has none', () => {
    const list = { metadata: { resourceVersion: '7' }, items: [service('None')] }
    expect(parseServiceList(list)).to.deep.equal({
      resourceVersion: '7',
      services: [{ name: 'api.shop.svc.cluster.local', address: undefined }],
    })
  })
})
