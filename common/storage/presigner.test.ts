import { mock } from 'node:test'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { expect } from 'chai'
import { clientFor } from './client.ts'
import { createPresigner } from './presigner.ts'

const options = {
  bucket: 'media',
  region: 'eu-central-1',
  endpoint: 'http://10.0.0.1:9000',
  publicEndpoint: null,
  pathStyle: true,
}
const key = { Bucket: 'media', Key: 'a' }
const get = new GetObjectCommand(key)
const put = new PutObjectCommand(key)

describe('createPresigner', () => {
  // The SDK signs with the time of `Date`.
  before(() => mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 4, 20) }))
  after(() => mock.timers.reset())

  const secondsOf = (url: string) => Number(new URL(url).searchParams.get('X-Amz-Expires'))
  const signerOf = (url: string) => new URL(url).searchParams.get('X-Amz-Credential')?.split('/')[0]

  it('ends URLs a minute before the session of the credentials does', async () => {
    const expiration = new Date(Date.now() + 1_000_000)
    const session = { accessKeyId: 'ASIA', secretAccessKey: 'b', sessionToken: 'c', expiration }
    const client = clientFor({ ...options, credentials: session }, options.endpoint)
    const presigner = createPresigner(client, options.region)
    expect(secondsOf(await presigner.url(get, 604_800))).to.equal(940)
    expect(secondsOf((await presigner.like(put, 604_800)).url)).to.equal(940)
    expect(secondsOf(await presigner.url(get, 300))).to.equal(300)
    client.destroy()
  })

  it('leaves the lifetime of URLs whose key has no session', async () => {
    const expiration = new Date(0)
    const fixed = { accessKeyId: 'AKIA', secretAccessKey: 'b', expiration }
    const client = clientFor({ ...options, credentials: async () => fixed }, options.endpoint)
    const presigner = createPresigner(client, options.region)
    expect(secondsOf(await presigner.url(get, 604_800))).to.equal(604_800)
    client.destroy()
  })

  it('signs with the key of the moment, and signs alike with the same key', async () => {
    let calls = 0
    // Another key at each third request, so that it changes between two steps of one URL, too.
    const credentials = async () => {
      calls += 1
      const accessKeyId = `key${Math.floor(calls / 3)}`
      return { accessKeyId, secretAccessKey: `of ${accessKeyId}`, expiration: new Date(0) }
    }
    const client = clientFor({ ...options, credentials }, options.endpoint)
    const presigner = createPresigner(client, options.region)
    const signers = new Set<string | undefined>()
    for (let turn = 0; turn < 6; turn += 1) {
      const { url, sign } = await presigner.like(put, 600)
      const accessKeyId = signerOf(url) ?? ''
      signers.add(accessKeyId)
      const alone = clientFor(
        { ...options, credentials: { accessKeyId, secretAccessKey: `of ${accessKeyId}` } },
        options.endpoint,
      )
      const { sign: expected } = await createPresigner(alone, options.region).like(put, 600)
      const wanted = { method: 'PUT' as const, pathname: '/media/b', headers: {} }
      expect(sign(wanted)).to.equal(expected(wanted))
      alone.destroy()
    }
    expect(signers.size).to.be.greaterThan(1)
    client.destroy()
  })
})
