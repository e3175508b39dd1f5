import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { webhookSignature } from './signature.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const retired = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0hHtbOm+oYs='

describe('webhookSignature', () => {
  it("returns the signature of the specification's example", () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    }
    expect(webhookSignature([secret], message)).to.equal(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('a signature is verified by the public library with each of the secrets, and with no other', () => {
    const timestamp = Math.floor(Date.now() / 1_000)
    const message = { id: 'msg_1', timestamp, body: '{"data":"ü"}' }
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature([secret, retired], message),
    }
    for (const one of [secret, retired]) {
      expect(new Webhook(one).verify(message.body, headers)).to.deep.equal({ data: 'ü' })
    }
    expect(() => new Webhook('whsec_AAAA').verify(message.body, headers)).to.throw()
    expect(() => new Webhook(secret).verify('{"data":"u"}', headers)).to.throw()
  })
})
