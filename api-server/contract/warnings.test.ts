import { expect } from 'chai'
import { pro, submission, unknownId, useApp, runPath } from '../../testing/support/api/app.ts'
import { chain } from './the-calls.fixture.ts'

describe('what a request says and the service does not do', () => {
  const brief = { ...pro, retention: { ...pro.retention, filesDays: 2 } }
  const app = useApp({ plans: { pro, brief } })

  /** Warnings of the body, and the `Warning` header. */
  async function warned(path: string, body: object, headers: Record<string, string> = {}) {
    const answered = await app.post(path, body, { headers })
    expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
    const named = answered.body as { warnings?: string[] }
    return { named: named.warnings, header: answered.headers.get('warning') }
  }

  const misspelled: [string, object, string][] = [
    ['vcpus', { vcpus: 4 }, "body.vcpus is unknown and ignored; did you mean 'vcpu_count'?"],
    [
      'timeout',
      { timeout: 60 },
      "body.timeout is unknown and ignored; did you mean 'max_command_run_seconds'?",
    ],
    [
      'webhook',
      { webhook: 'https://app.example/' },
      "body.webhook is unknown and ignored; did you mean 'webhook_url'?",
    ],
    ['what resembles no field', { zebra: 1 }, 'body.zebra is unknown and ignored'],
  ]
  for (const [name, more, sentence] of misspelled) {
    it(`a warning names the ignored field in a command with ${name}`, async () => {
      for (const [path, body] of [
        [runPath, submission],
        ['/v1/run-chained-ffmpeg-commands', chain],
      ] as const) {
        const { named, header } = await warned(path, { ...body, ...more })
        expect(named).to.deep.equal([sentence])
        expect(header).to.equal(`299 - "${sentence}"`)
      }
    })
  }

  it('warns of what the service does not do in a dry run, too', async () => {
    const { named } = await warned('/v1/validate-ffmpeg-command', {
      ...submission,
      vcpus: 4,
      vcpu_count: 32,
    })
    expect(named).to.include.members([
      "body.vcpus is unknown and ignored; did you mean 'vcpu_count'?",
      "vcpu_count 32 is lowered to 16 on plan 'pro'",
    ])
  })

  it('a warning names an ignored parameter in the query of a list', async () => {
    const { status, headers } = await app.call('/v1/commands?page=2')
    expect(status).to.equal(200)
    expect(headers.get('warning')).to.equal(
      `299 - "query.page is unknown and ignored; did you mean 'offset'?"`,
    )
  })

  it('an ignored query parameter has its name in a header of any answer', async () => {
    const header = async (path: string, options = {}) =>
      (await app.call(path, options)).headers.get('x-ignored-parameters')
    expect(await header('/v1/commands?page=2&limit=1&a%2C%C3%A9=1')).to.equal('page, a??')
    expect(await header('/v1/commands?page=2&limit=x')).to.equal('page')
    expect(await header(`/v1/commands/${unknownId}?expand=all`)).to.equal('expand')
    expect(await header('/v1/commands?limit=1')).to.equal(null)
    const many = Array.from({ length: 30 }, (_, index) => `p${index}=1`).join('&')
    expect(await header(`/v1/usage?${many}`)).to.equal('p0, p1, p2, p3, p4, p5, p6, p7')
    const dry = await app.post('/v1/validate-ffmpeg-command?schema=1', submission)
    expect(dry.headers.get('x-ignored-parameters')).to.equal('schema')
  })

  it('a warning names a value that the plan lowers', async () => {
    const lowered = { vcpu_count: 64, max_command_run_seconds: 7_200 }
    const { named, header } = await warned(runPath, { ...submission, ...lowered })
    expect(named).to.deep.equal([
      "vcpu_count 64 is lowered to 16 on plan 'pro'",
      "max_command_run_seconds 7200 is lowered to 3600 on plan 'pro'",
    ])
    expect(header).to.match(/^299 - "vcpu_count .*", 299 - "max_command_run_seconds .*"$/)
  })

  it('a warning says that the plan keeps files for a shorter time than requested', async () => {
    await app.addAccount('brief', 'brief', 'key-of-brief')
    const key = { key: 'key-of-brief' }
    for (const [asked, stored, named] of [
      [
        { output_ttl_seconds: 0 },
        172_800,
        ["output_ttl_seconds 0 is lowered to 172800 on plan 'brief'"],
      ],
      [
        { output_ttl_seconds: 200_000 },
        172_800,
        ["output_ttl_seconds 200000 is lowered to 172800 on plan 'brief'"],
      ],
      [{ output_ttl_seconds: 3_600 }, 3_600, undefined],
      [{}, 172_800, undefined],
    ] as const) {
      const body = { ...submission, ...asked }
      const answer = await app.post(runPath, body, key)
      expect(answer.body).to.have.property('command_id')
      expect((answer.body as { warnings?: string[] }).warnings).to.deep.equal(named)
      const dry = await app.post('/v1/validate-ffmpeg-command', body, key)
      expect((dry.body as { warnings: string[] }).warnings).to.include.members([...(named ?? [])])
      const [row] = await app.query(
        'ttl',
        'select output_ttl_seconds as ttl from commands where command_id = $1',
        [(answer.body as { command_id: string }).command_id],
      )
      expect(row).to.deep.equal({ ttl: stored })
    }
  })

  it('adds no warning to the answer of a request without mistakes', async () => {
    const { named, header } = await warned(runPath, submission)
    expect([named, header]).to.deep.equal([undefined, null])
  })

  it('a warning is repeated in the answer under an Idempotency-Key', async () => {
    const body = { ...submission, vcpus: 4 }
    const headers = { 'Idempotency-Key': 'warned-once' }
    const first = await warned(runPath, body, headers)
    const again = await warned(runPath, body, headers)
    expect(again.named).to.deep.equal(first.named)
  })

  for (const name of ['private', 'isPrivate', 'is_privat', 'public', 'visibility']) {
    it(`a request is rejected when ${name} is probably is_private, and stores nothing`, async () => {
      const before = await app.count('commands')
      for (const [path, body] of [
        [runPath, submission],
        ['/v1/validate-ffmpeg-command', submission],
        ['/v1/files/store-file', { file_url: 'https://media.example/clip.mov' }],
        ['/v1/files/init-upload', { filename: 'clip.mp4', size_bytes: 1_000 }],
      ] as const) {
        const { status, body: answer } = await app.post(path, { ...body, [name]: true })
        expect(status, path).to.equal(422)
        expect(JSON.stringify(answer)).to.contain("it is named 'is_private'")
      }
      expect(await app.count('commands')).to.equal(before)
    })
  }

  it('is_private itself has no warning', async () => {
    const { named } = await warned(runPath, { ...submission, is_private: true })
    expect(named).to.equal(undefined)
  })

  it('a warning names webhook_url when PUT /v1/webhook gets it in place of url', async () => {
    const { status, body } = await app.call('/v1/webhook', {
      method: 'PUT',
      body: { webhook_url: 'https://app.example/' },
    })
    expect(status).to.equal(422)
    expect(body).to.deep.include({
      detail: [
        { loc: ['body', 'url'], msg: "Field required; found 'webhook_url'", type: 'missing' },
      ],
    })
  })
})
