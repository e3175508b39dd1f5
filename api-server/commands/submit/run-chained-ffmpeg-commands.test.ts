import { expect } from 'chai'
import { useApp, runPath, chainPath } from '../../../testing/support/api/app.ts'
import { field, placesOf, idOf } from '../../checked-call.fixture.ts'
import { succeed } from '../../../testing/support/api/outcomes.ts'
import { chain } from '../../contract/the-calls.fixture.ts'
import type { Answered } from '../../checked-call.fixture.ts'

const one = {
  input_files: { in_1: 'https://media.example/a.mp4' },
  output_files: { out_1: 'a.mp4' },
  ffmpeg_command: '-i {{in_1}} {{out_1}}',
}

describe('POST /v1/run-chained-ffmpeg-commands', () => {
  const app = useApp()

  const post = (path: string, body: unknown, key = app.key): Promise<Answered> =>
    app.post(path, body, { key })
  const submit = (change: object) => post(chainPath, { ...chain, ...change })
  const record = (answered: Answered) => app.record(`/v1/commands/${idOf(answered)}`)

  it('stores a chain with a step for each of its commands', async () => {
    const answered = await submit({})
    expect(answered.status).to.equal(200)
    const shown = await record(answered)
    expect(shown).to.deep.include({
      status: 'QUEUED',
      command_type: 'FFMPEG_CHAINED_COMMANDS',
      vcpu_count: 4,
      original_request: {
        ...chain,
        vcpu_count: 4,
        max_command_run_seconds: 300,
        metadata: null,

        is_private: false,
        priority: 'normal',
        output_ttl_seconds: null,
        presigned_ttl_seconds: null,
        webhook_url: null,
      },
    })
    const steps = field(shown, 'steps')
    expect(
      Array.isArray(steps) ? steps.map((step: unknown) => field(step, 'index')) : steps,
    ).to.eql([0, 1])
    expect((await post(chainPath, field(shown, 'original_request'))).status).to.equal(200)
  })

  it('names the call for single commands when it gets a single command', async () => {
    const there = await submit({ ffmpeg_commands: undefined, ffmpeg_command: 'x' })
    expect(JSON.stringify(there.body)).to.contain('POST /v1/run-ffmpeg-command')
    const here = await post(runPath, { ...one, ffmpeg_command: undefined, ffmpeg_commands: ['x'] })
    expect(JSON.stringify(here.body)).to.contain('POST /v1/run-chained-ffmpeg-commands')
  })

  it('reports the mistakes of each command, with its index', async () => {
    const ffmpeg_commands = ['-i {{out_2}} {{out_1}}', '-i {{in_9}} {{out_2}}']
    expect((await submit({ ffmpeg_commands })).body).to.deep.include({
      code: 'invalid_request',
      detail: [
        {
          loc: ['body', 'ffmpeg_commands', '0'],
          msg: "Alias 'out_2' in '{{out_2}}' at character 4 is read before a command writes it",
          type: 'command_alias',
          ctx: { token: '{{out_2}}', position: 4 },
        },
        {
          loc: ['body', 'ffmpeg_commands', '1'],
          msg: "Unknown alias 'in_9' in '{{in_9}}' at character 4; declared: in_1, in_2, out_1, out_2",
          type: 'command_alias',
          ctx: { token: '{{in_9}}', position: 4 },
        },
      ],
    })
  })

  describe('what is done with the outputs and after the end', () => {
    const rowOf = async ({ body }: Answered) => {
      const [row] = await app.query<{ ttl: number | null; hook: string | null }>(
        'row',
        `select output_ttl_seconds as ttl, webhook_url as hook from commands where command_id = $1`,
        [field(body, 'command_id')],
      )
      return row
    }

    it('output_ttl_seconds and webhook_url are kept with the command and echoed', async () => {
      const sent = { output_ttl_seconds: '3600', webhook_url: ' https://app.example/hook ' }
      for (const [path, body] of [
        [runPath, one],
        [chainPath, chain],
      ] as const) {
        const answered = await post(path, { ...body, ...sent })
        const hook = 'https://app.example/hook'
        expect(await rowOf(answered)).to.deep.equal({ ttl: 3_600, hook })
        expect(field(await record(answered), 'original_request')).to.deep.include({
          output_ttl_seconds: 3_600,
          webhook_url: ' https://app.example/hook ',
        })
      }
    })

    it("defaults to the account's TTL, and keeps outputs for 0", async () => {
      const account = await app.addAccount('tidy', 'pro', 'key-of-tidy')
      await app.store.changeAccount(account.accountId, { defaultOutputTtlSeconds: 86_400 })
      const ttl = async (change: object) =>
        (await rowOf(await post(runPath, { ...one, ...change }, 'key-of-tidy')))?.ttl
      expect(await ttl({})).to.equal(86_400)
      expect(await ttl({ output_ttl_seconds: 0 })).to.equal(null)
      expect(await ttl({ output_ttl_seconds: 60 })).to.equal(60)
      expect((await rowOf(await post(runPath, one)))?.ttl).to.equal(null)
    })

    it('rejects outputs and webhooks outside their limits', async () => {
      for (const seconds of [59, -1, 31_536_001]) {
        const answered = await post(runPath, { ...one, output_ttl_seconds: seconds })
        expect(answered.status, String(seconds)).to.equal(422)
        expect(JSON.stringify(answered.body)).to.contain('0, or 60 to 31536000')
      }
      const odd = await post(runPath, { ...one, output_ttl_seconds: 60.5 })
      expect(placesOf(odd)).to.deep.equal(['body.output_ttl_seconds int_parsing'])
      const hook = await post(runPath, { ...one, webhook_url: 'ftp://app.example' })
      expect(placesOf(hook)).to.deep.equal(['body.webhook_url url_parsing'])
    })

    it("sets the outputs' expiry at the end of the command", async () => {
      const answered = await post(runPath, { ...one, output_ttl_seconds: 86_400 })
      await succeed(app, idOf(answered))
      const shown = await record(answered)
      const expires = String(field(field(field(shown, 'output_files'), 'out_1'), 'expires_at'))
      const finished = String(field(shown, 'finished_at'))
      expect(expires.slice(-11)).to.equal(finished.slice(-11))
      expect(Date.parse(expires) - Date.parse(finished)).to.equal(86_400_000)
    })
  })
})
