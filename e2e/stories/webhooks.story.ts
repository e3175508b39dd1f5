import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { newAccount } from '../steps/new-account.ts'
import { startReceiver } from '../steps/receiver.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

describe('a webhook', () => {
  const env = useEnvironment()

  it('calls a receiver that failed again with the same event, signed for the public library', async () => {
    const receiver = await startReceiver(env.cluster.hostAddress, [500, 204])
    try {
      const { client } = await newAccount(env, 'pro')
      const { secret } = await client.putWebhook({ url: receiver.url })
      const record = await submitAndWait(client, {
        input_files: {},
        output_files: { out_1: 'a.png' },
        ffmpeg_command: '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}}',
      })
      await eventually('two attempts', async () => receiver.calls.length === 2)
      const [first, second] = receiver.calls
      expect(second?.body).to.equal(first?.body)
      expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id'])
      for (const { body, headers } of receiver.calls) {
        expect(headers['webhook-event']).to.equal('command.finished')
        const event = new Webhook(secret).verify(body, headers) as { data: object }
        expect(event.data).to.deep.equal(record)
      }
      const delivery = await eventually('the delivery is done', async () => {
        const [one] = await client.listWebhookDeliveries({ limit: 1 })
        return one?.status === 'DELIVERED' && one
      })
      expect(delivery.attempts.map((attempt) => attempt.response_status)).to.deep.equal([500, 204])
      expect(await client.testWebhook()).to.include({ ok: true, response_status: 204 })
    } finally {
      await receiver.close()
    }
  })
})
