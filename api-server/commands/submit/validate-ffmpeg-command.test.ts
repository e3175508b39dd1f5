import { expect } from 'chai'
import { pro, submission, useApp } from '../../../testing/support/api/app.ts'
import { checkedCall, field, placesOf } from '../../checked-call.fixture.ts'

describe('POST /v1/validate-ffmpeg-command', () => {
  const free = {
    ...pro,
    vcpuPerCommand: 4,
    vcpuTotal: 4,
    maxRunSeconds: 60,
    submissionsPerMinute: 1,
    storageMbytes: 0,
    chained: false,
    private: false,
  }
  const chain = {
    input_files: { in_1: 'https://media.example/a.MP4', in_2: 'https://media.example/download' },
    output_files: { out_1: 'both.mp4', out_2: 'thumb.jpg' },
    ffmpeg_commands: [
      'ffmpeg -y -i {{in_1}} -i {{in_2}} -filter_complex "[0:v][1:v]hstack" {{out_1}}',
      '-i {{out_1}} -frames:v 1 {{out_2}}',
    ],
  }
  const app = useApp({ plans: { pro, free } })
  before(async () => {
    await app.addAccount('free', 'free', 'key-of-free')
  })

  const validate = (body: unknown, key = app.key) =>
    app.post('/v1/validate-ffmpeg-command', body, { key })

  it('returns the arguments of FFmpeg', async () => {
    const { status, body } = await validate(submission)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      valid: true,
      commands: [
        {
          argv: ['-i', '../in/in_1.avi', '-vf', 'scale=-2:320', '-c:a', 'aac', 'small.mp4'],
          placeholders: [
            { alias: 'in_1', role: 'input', position: 4 },
            { alias: 'out_1', role: 'output', position: 41 },
          ],
        },
      ],
      errors: [],
      warnings: [],
      effective: { vcpu_count: 8, max_command_run_seconds: 300 },
      plan_error: null,
    })
  })

  it('accepts a chain of commands', async () => {
    const { body } = await validate(chain)
    expect(field(body, 'commands')).to.deep.equal([
      {
        argv: [
          '-i',
          '../in/in_1.mp4',
          '-i',
          '../in/in_2',
          '-filter_complex',
          '[0:v][1:v]hstack',
          'both.mp4',
        ],
        placeholders: [
          { alias: 'in_1', role: 'input', position: 14 },
          { alias: 'in_2', role: 'input', position: 26 },
          { alias: 'out_1', role: 'output', position: 70 },
        ],
      },
      {
        argv: ['-i', 'both.mp4', '-frames:v', '1', 'thumb.jpg'],
        placeholders: [
          { alias: 'out_1', role: 'input', position: 4 },
          { alias: 'out_2', role: 'output', position: 26 },
        ],
      },
    ])
    expect(field(body, 'warnings')).to.deep.equal([
      '-y in command 0 is left out; the service sets it itself',
    ])
  })

  it('warns about probable mistakes, and reports what the plan will refuse', async () => {
    const { body } = await validate(
      { ...submission, input_files: { ...submission.input_files, in_2: 'https://a.example/b' } },
      'key-of-free',
    )
    expect(body).to.deep.include({
      valid: true,
      warnings: ['in_2 is not used by any command; it will not be fetched'],
      effective: { vcpu_count: 4, max_command_run_seconds: 60 },
      plan_error: 'Storage quota exceeded: 0 of 0 MB used',
    })
    for (const [request, error] of [
      [chain, 'chained commands'],
      [{ ...submission, is_private: true }, 'private files'],
    ] as const) {
      const refused = await validate(request, 'key-of-free')
      expect(field(refused.body, 'plan_error')).to.equal(`Plan 'free' does not include ${error}`)
    }
  })

  it('warns about a filter that FFmpeg lacks, and names the nearest', async () => {
    const ffmpeg_command = '-i {{in_1}} -vf scal=320:-2 {{out_1}}'
    const { body } = await validate({ ...submission, ffmpeg_command })
    expect(field(body, 'warnings')).to.deep.equal([
      "FFmpeg has no filter 'scal'; did you mean 'scale'?",
    ])
  })

  it('lists mistakes of the text, each with its place', async () => {
    const ffmpeg_commands = ['-i {{in_3}} {{out_1}}', '-i {{out_1}} /etc/passwd']
    const { status, body } = await validate({ ...chain, ffmpeg_commands })
    expect([status, field(body, 'valid'), field(body, 'commands')]).to.deep.equal([200, false, []])
    const errors = field(body, 'errors')
    expect(Array.isArray(errors) && errors.map((one: unknown) => field(one, 'loc'))).to.deep.equal([
      ['body', 'ffmpeg_commands', '0'],
      ['body', 'ffmpeg_commands', '1'],
    ])
  })

  it('rejects an invalid body with the errors of a submission', async () => {
    for (const [body, places] of [
      [
        {},
        ['body.ffmpeg_command missing', 'body.output_files missing', 'body.input_files missing'],
      ],
      [{ ...submission, vcpu_count: 0 }, ['body.vcpu_count greater_than_equal']],
      [{ ...chain, ffmpeg_commands: [] }, ['body.ffmpeg_commands too_short']],
      [[], ['body dict_type']],
    ] as const) {
      const answered = await validate(body)
      expect(answered.status).to.equal(422)
      expect(placesOf(answered)).to.have.members([...places])
    }
  })

  it('lists mistakes of the schema on request', async () => {
    const listed = (body: unknown, value = 'true') =>
      app.post(`/v1/validate-ffmpeg-command?schema_errors=${value}`, body)
    const wrong = { ...submission, vcpu_count: 'many', input_files: { in_1: 'ftp://a.example/b' } }
    const { status, body } = await listed(wrong)
    expect(status).to.equal(200)
    expect(body).to.deep.include({ valid: false, commands: [], warnings: [], plan_error: null })
    const refused = await validate(wrong)
    expect(field(body, 'errors')).to.deep.equal(field(refused.body, 'detail'))
    expect((await listed(submission)).body).to.deep.equal((await validate(submission)).body)
    expect((await listed(wrong, 'false')).status).to.equal(422)
    expect(placesOf(await listed(submission, 'perhaps'))).to.deep.equal([
      'query.schema_errors bool_parsing',
    ])
  })

  it('stores nothing and takes no submission from the account', async () => {
    for (let time = 0; time < 3; time++) await validate(submission, 'key-of-free')
    const { body } = await checkedCall(app.url, '/v1/usage', { key: 'key-of-free' })
    expect(field(field(body, 'rate'), 'submissions_left')).to.equal(1)
    expect(await app.list('/v1/commands')).to.deep.equal([])
  })
})
