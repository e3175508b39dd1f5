import { expect } from 'chai'
import { useResource } from '../../testing/support/mocha.ts'
import { stillEffects } from '../../testing/support/still-effects.ts'
import {
  pro,
  startTestApp,
  submission,
  unknownId,
  runPath,
  useApp,
} from '../../testing/support/api/app.ts'
import { checkedCall, field } from '../checked-call.fixture.ts'
import { documented } from '../http/openapi.ts'
import type { Answered } from '../checked-call.fixture.ts'

const keyed = documented.filter(({ description }) => description['security'] === undefined)
describe('rates over two replicas', () => {
  const plans = {
    pro,
    tight: { ...pro, submissionsPerMinute: 4, readsPerMinute: 30, private: false },
    shut: { ...pro, submissionsPerMinute: 0, readsPerMinute: 0 },
  }
  const effects = stillEffects()
  const first = useApp({ effects, plans })
  const second = useResource(() => startTestApp({ effects, plans }, first))
  let accounts = 0

  async function newKey(plan: string): Promise<string> {
    accounts += 1
    const key = `key-of-${plan}-${accounts}`
    await first.addAccount(`${plan}-${accounts}`, plan, key)
    return key
  }

  const submit = (key: string, change: object = {}, app = first): Promise<Answered> =>
    app.post(runPath, { ...submission, ...change }, { key })
  const statuses = (answers: Answered[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b)

  it("rates accept the plan's number of submissions, and answer when the next is possible", async () => {
    const key = await newKey('tight')
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => submit(key, {}, index % 2 === 0 ? first : second)),
    )
    const [accepted, refused] = [200, 429].map((code) =>
      all.filter(({ status }) => status === code),
    )
    expect([accepted?.length, refused?.length]).to.deep.equal([4, 16])
    const { headers, body } = await submit(key)
    expect(headers.get('retry-after')).to.equal('15')
    expect(field(body, 'detail')).to.equal(
      `Rate limit exceeded: 4 submissions a minute on plan 'tight'; retry in 15 s`,
    )
    const listed = await checkedCall(second.url, '/v1/commands', { key })
    expect(listed.body).to.have.length(4)
  })

  it('rates count only accepted submissions, not those with errors or without permission', async () => {
    const key = await newKey('tight')
    const mistakes = [
      { vcpu_count: 0 },
      { ffmpeg_command: '-i {{in_2}} {{out_1}}' },
      { is_private: true },
    ]
    for (let round = 0; round < 3; round++) {
      for (const [index, mistake] of mistakes.entries()) {
        const { status } = await submit(key, mistake)
        expect(status).to.equal(index === 2 ? 403 : 422)
      }
    }
    const good = []
    for (let tries = 0; tries < 5; tries++) good.push(await submit(key))
    expect(statuses(good)).to.deep.equal([200, 200, 200, 200, 429])
    // Before the schema check, so that a flood of invalid requests is limited too.
    expect((await submit(key, { vcpu_count: 0 })).status).to.equal(429)
  })

  it('rates count every read, found or not', async () => {
    const key = await newKey('tight')
    const reads = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        first.call(index % 2 === 0 ? '/v1/commands' : `/v1/commands/${unknownId}`, { key }),
      ),
    )
    const refused = reads.filter(({ status }) => status === 429)
    expect(refused.length).to.equal(10)
    expect(field(refused[0]?.body, 'detail')).to.match(
      /^Rate limit exceeded: 30 reads a minute on plan 'tight'; retry in 2 s$/,
    )
    expect((await submit(key)).status, 'the other bucket').to.equal(200)
  })

  it('rates apply to reads and to calls that begin work, but not to calls that free storage', async () => {
    const key = await newKey('shut')
    const limited = []
    for (const { path, method, description } of keyed) {
      const where = path.replaceAll(/\{\w+\}/g, unknownId)
      const sent = { key, method: method.toUpperCase() }
      const { status, headers } = await checkedCall(first.url, where, sent)
      if (status !== 429) continue
      expect(headers.get('retry-after')).to.equal('60')
      limited.push(description['operationId'])
    }
    expect(limited).to.have.members([
      'runFfmpegCommand',
      'runChainedFfmpegCommands',
      'storeFile',
      'initUpload',
      'getCommand',
      'listCommands',
      'listFiles',
      'getFile',
      'getFilePlaylist',
      'validateFfmpegCommand',
      'getCommandLogs',
      'getCommandEvents',
      'getUsage',
      'getWebhook',
      'listWebhookDeliveries',
      'getWebhookDelivery',
      'getUsageHistory',
      'listKeys',
      'createKey',
      'getEvents',
      'getCommandTimeline',
    ])
  })

  it('rates do not apply to accounts without limits', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(first.key)))
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]))
  })
})
