import { expect } from 'chai'
import { problemBody } from '../../http/refusal-codes.ts'
import { gzipSync } from 'node:zlib'
import { submission, useApp, runPath } from '../../../testing/support/api/app.ts'
import { field, placesOf, idOf, refusalOf } from '../../checked-call.fixture.ts'
import type { Answered, Sent } from '../../checked-call.fixture.ts'

describe('POST /v1/run-ffmpeg-command', () => {
  const app = useApp()

  const submit = (body: unknown, sent?: Sent) => app.post(runPath, body, sent)
  const record = (submitted: Answered) => app.record(`/v1/commands/${idOf(submitted)}`)

  it('answers with the id of a stored, queued command', async () => {
    const notified = app.notifications()
    const answered = await submit(submission)
    expect(answered.status).to.equal(200)
    expect(app.notifications()).to.equal(notified + 1)
    expect(await record(answered)).to.deep.include({
      status: 'QUEUED',
      command_type: 'FFMPEG_COMMAND',
      metadata: { order: 17 },
      vcpu_count: 8,
      max_command_run_seconds: 300,
      original_request: {
        ...submission,
        input_compressed_folder: null,
        is_private: false,
        vcpu_count: 8,
        max_command_run_seconds: 300,
        priority: 'normal',
        output_ttl_seconds: null,
        presigned_ttl_seconds: null,
        webhook_url: null,
      },
    })
  })

  it('accepts the paths, types and encodings of bodies that clients send', async () => {
    const lenient: [string, Sent][] = [
      [`${runPath}/`, { body: submission }],
      [`/api${runPath}`, { body: submission }],
      [`${runPath}?anything=1`, { body: submission }],
      [runPath, { body: submission, headers: { 'Content-Type': 'text/plain; charset=latin1' } }],
      [runPath, { body: submission, headers: { 'Content-Type': 'multipart/form-data' } }],
      [runPath, { body: `\uFEFF${JSON.stringify(submission)}` }],
      [
        runPath,
        { body: gzipSync(JSON.stringify(submission)), headers: { 'Content-Encoding': 'gzip' } },
      ],
    ]
    for (const [where, sent] of lenient) {
      const { status, body } = await app.call(where, { method: 'POST', ...sent })
      expect(status, `${where} ${JSON.stringify(body)}`).to.equal(200)
    }
  })

  it("lowers what is above the plan's maximum and echoes what was sent", async () => {
    const sent = { vcpu_count: 64, max_command_run_seconds: 99_999 }
    const shown = await record(await submit({ ...submission, ...sent }))
    expect(shown).to.deep.include({ vcpu_count: 16, max_command_run_seconds: 3_600 })
    expect(shown['original_request']).to.deep.include(sent)
  })

  it("takes the plan's maximum for a default that is larger, without a warning", async () => {
    await app.addAccount('small', 'free', 'key-of-small')
    const sent = { key: 'key-of-small' }
    const submitted = await submit(submission, sent)
    expect(Object.keys(submitted.body as object)).to.deep.equal(['command_id'])
    const shown = await app.record(`/v1/commands/${idOf(submitted)}`, sent)
    const limits = { vcpu_count: 4, max_command_run_seconds: 60 }
    expect(shown).to.deep.include(limits)
    expect(shown['original_request']).to.deep.include(limits)
  })

  it('reports all mistakes of the fields, and those of the text only when the fields are valid', async () => {
    const both = { ffmpeg_command: '-i {{in_9}}', output_files: [], vcpu_count: 0 }
    expect(placesOf(await submit({ ...submission, ...both }))).to.deep.equal([
      'body.output_files dict_type',
      'body.vcpu_count greater_than_equal',
    ])
    const { body } = await submit({ ...submission, ffmpeg_command: '-i {{in_2}} {{out_1}}' })
    expect(field(body, 'detail')).to.deep.equal([
      {
        loc: ['body', 'ffmpeg_command'],
        msg: "Unknown alias 'in_2' in '{{in_2}}' at character 4; declared: in_1, out_1",
        type: 'command_alias',
        ctx: { token: '{{in_2}}', position: 4 },
      },
    ])
  })

  it('refuses a body in which a key stands twice, at any depth, and names both places', async () => {
    const text = JSON.stringify(submission, null, 2)
    const twice = text.replace(/\n\}$/, ',\n  "is_private": true,\n  "is_private": false\n}')
    const line = twice.split('\n').length - 1
    const { status, body } = await submit(twice)
    expect([status, field(body, 'detail')]).to.deep.equal([
      422,
      [
        {
          loc: ['body'],
          msg: `The body is not clear: the key 'is_private' stands twice (line ${line}, column 3, and line ${line - 1}, column 3); leave one of them out`,
          type: 'json_invalid',
        },
      ],
    ])
    const nested = JSON.stringify(submission).replace(
      '"in_1":',
      '"\\u0069n_1":"https://a.example/x.avi","in_1":',
    )
    expect(refusalOf(await submit(nested))).to.deep.equal([422, 'body json_invalid'])
    expect((await submit(text)).status).to.equal(200)
  })

  it('the answer does not echo a body that is not valid JSON', async () => {
    const { body } = await submit('{"in_1": https://media.example/a.avi?signature=secret}')
    expect(JSON.stringify(body)).not.to.contain('signature')
  })

  it('accepts a body of 504 KB whose custom resource would take 3 MB, and stores all of it', async () => {
    const url = `https://media.example/a.avi?${'&'.repeat(8_100)}`
    const input_files = Object.fromEntries(
      Array.from({ length: 62 }, (_, index) => [`in_${index + 1}`, url]),
    )
    const body = { ...submission, input_files }
    const valid = await app.post('/v1/validate-ffmpeg-command', body)
    expect(valid.body).to.deep.include({ valid: true, errors: [] })
    const id = await app.submit({ input_files })
    const stored = await app.record(`/v1/commands/${id}`)
    expect(field(field(stored, 'original_request'), 'input_files')).to.deep.equal(input_files)
  })

  it('names init-upload when a file is sent as a multipart form', async () => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array([0, 0, 0, 0x20, 0xff, 0xfe])]), 'a.mp4')
    const { headers, body } = new Response(form)
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    for (const type of [headers.get('content-type') ?? '', 'application/json']) {
      const answer = await submit(bytes, { headers: { 'Content-Type': type } })
      expect(JSON.stringify(answer.body), type).to.contain(
        'files to the upload_urls of POST /v1/files/init-upload',
      )
    }
  })

  it('rejects a body above 512 KiB, compressed or not', async () => {
    const body = JSON.stringify({ ...submission, x: 'x'.repeat(524_288) })
    const expected = problemBody(
      413,
      'Request body larger than 524288 bytes: send files to the upload_urls of POST /v1/files/init-upload, and long lists in several calls',
    )
    expect(await submit(body)).to.deep.include({ status: 413, body: expected })
    const headers = { 'Content-Encoding': 'gzip' }
    const packed = await submit(gzipSync(body), { headers })
    expect(packed).to.deep.include({ status: 413, body: expected })
  })

  it('stores concurrent submissions, each under its own id', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => submit(submission)))
    expect(new Set(answers.map((answer) => idOf(answer))).size).to.equal(300)
    expect(await record(answers[299] ?? expect.fail('no answer'))).to.include({ status: 'QUEUED' })
  })
})
