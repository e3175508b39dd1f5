import { expect } from 'chai'
import fc from 'fast-check'
import { webhookSignature } from '../../api-server/webhooks/signature.ts'
import { verify, WebhookRefused } from './webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const retired = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0hHtbOm+oYs='
const sentSeconds = 1_700_000_000
const now = (): Date => new Date(1_000 * (sentSeconds + 3))

function headersFor(body: string, secrets = [secret], id = 'msg_1') {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sentSeconds),
    'webhook-signature': webhookSignature(secrets, { id, timestamp: sentSeconds, body }),
  }
}

/** The message of the refusal, or what was returned. */
async function outcome(...args: Parameters<typeof verify>): Promise<unknown> {
  try {
    return await verify(...args)
  } catch (error) {
    if (error instanceof WebhookRefused) return error.message
    throw error
  }
}

describe('verify', () => {
  it('returns the body of what the service has signed, for any text', async () => {
    const property = fc.asyncProperty(fc.json(), async (body) => {
      const headers = headersFor(body)
      const wanted: unknown = JSON.parse(body)
      expect(await verify(body, headers, secret, { now })).to.deep.equal(wanted)
      const bytes = new TextEncoder().encode(body)
      expect(await verify(bytes, new Headers(headers), secret, { now })).to.deep.equal(wanted)
    })
    await fc.assert(property, { numRuns: 50 })
  })

  it('takes any of several secrets and signatures while a secret is rotated', async () => {
    const body = '{"data":"ü"}'
    const headers = headersFor(body, [secret, retired])
    expect(await outcome(body, headers, retired, { now })).to.deep.equal({ data: 'ü' })
    const old = headersFor(body, [retired])
    expect(await outcome(body, old, [secret, retired], { now })).to.deep.equal({ data: 'ü' })
  })

  it('reads the headers of node:http in any case', async () => {
    const { 'webhook-id': id, ...rest } = headersFor('{}')
    expect(await outcome('{}', { 'Webhook-Id': [id], ...rest }, secret, { now })).to.deep.equal({})
  })

  it('refuses another body, id, secret or an old time', async () => {
    const headers = headersFor('{}')
    const none = 'no signature of webhook-signature is of this secret and body'
    expect(await outcome('{} ', headers, secret, { now })).to.equal(none)
    expect(await outcome('{}', { ...headers, 'webhook-id': 'msg_2' }, secret, { now })).to.equal(
      none,
    )
    expect(await outcome('{}', headers, retired, { now })).to.equal(none)
    const broken = { ...headers, 'webhook-signature': 'v1,§ v2,AAAA v1' }
    expect(await outcome('{}', broken, secret, { now })).to.equal(none)
    expect(await outcome('{}', headers, secret)).to.contain('is more than 300 s from')
    const later = { ...headers, 'webhook-timestamp': 'tomorrow' }
    expect(await outcome('{}', later, secret, { now })).to.contain('is more than 300 s from')
    expect(await outcome('{}', {}, secret, { now })).to.equal(
      'the request needs the headers webhook-id, webhook-timestamp, webhook-signature',
    )
  })

  it('names what is wrong with a secret that is none', async () => {
    let message = ''
    await verify('{}', headersFor('{}'), 'cff_key', { now }).catch((error: unknown) => {
      message = String(error)
    })
    expect(message).to.contain('is whsec_ and base64')
  })
})
