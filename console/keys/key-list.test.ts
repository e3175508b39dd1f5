import { expect } from 'chai'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { scriptedService, status } from '../shell/scripted-service.fixture.ts'
import { createKeyList } from './key-list.ts'
import type { ScriptedService } from '../shell/scripted-service.fixture.ts'

const key = (key_id: string) => ({ key_id, label: key_id, is_this_one: false })

describe('the keys of an account', () => {
  let service: ScriptedService
  const opened = async () => {
    const list = createKeyList(service.client)
    await service.settle()
    return list
  }
  beforeEach(() => {
    service = scriptedService()
    service.on('GET /v1/keys', () => [key('a'), key('b')])
  })

  it('the list of keys is null until it is read', async () => {
    const list = createKeyList(service.client)
    expect(list.keys.value).to.equal(null)
    await service.settle()
    expect(list.keys.value?.map((one) => one.key_id)).to.deep.equal(['a', 'b'])
  })

  it('removes a key once the service has revoked it, and keeps one that it does not revoke', async () => {
    const list = await opened()
    service.on('DELETE /v1/keys/a', () => new Response(null, { status: 204 }))
    await list.revoke('a')
    expect(list.keys.value?.map((one) => one.key_id)).to.deep.equal(['b'])
    service.on('DELETE /v1/keys/b', () => status(409, 'It is the last key that may make changes'))
    expect(await rejectionOf(list.revoke('b'))).to.have.property('status', 409)
    expect(list.keys.value).to.have.length(1)
  })

  it('returns a new key with its text, and reads the list of keys again', async () => {
    const list = await opened()
    const request = { label: 'ci', read_only: true, expires_in_seconds: 86_400 }
    service.on('POST /v1/keys', () => ({ ...key('c'), api_key: 'cff_secret' }))
    service.on('GET /v1/keys', () => [key('a'), key('b'), key('c')])
    expect((await list.make(request)).api_key).to.equal('cff_secret')
    expect(service.bodies[1]).to.deep.equal(request)
    expect(list.keys.value).to.have.length(3)
  })

  it('reports why keys cannot be read, until they can', async () => {
    service.on('GET /v1/keys', () => status(500, 'Internal error'))
    const list = await opened()
    expect([list.keys.value, list.problem.value]).to.deep.equal([null, 'Internal error.'])
    service.on('GET /v1/keys', () => [key('a')])
    list.readNow()
    await service.settle()
    expect([list.keys.value?.length, list.problem.value]).to.deep.equal([1, null])
  })

  it('reports no problem when the page of keys was left before the answer', async () => {
    service.on('GET /v1/keys', () => status(500, 'Internal error'))
    const list = createKeyList(service.client)
    list.close()
    await service.settle()
    expect(list.problem.value).to.equal(null)
  })
})
