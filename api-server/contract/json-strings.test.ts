import { expect } from 'chai'
import { chainPath, runPath, submission, useApp } from '../../testing/support/api/app.ts'
import { field, idOf } from '../checked-call.fixture.ts'
import { chain as anyChain } from './the-calls.fixture.ts'
import type { Answered } from '../checked-call.fixture.ts'

const chain = { ...anyChain, vcpu_count: 4 }
const dry = '/v1/validate-ffmpeg-command'
const sentence = (place: string, type = 'object') =>
  `${place} was a string of JSON; send the ${type}`

/** One field of a body as n8n sends an expression that is text. */
const withText = (body: object, name: string) => ({
  ...body,
  [name]: JSON.stringify(field(body, name)),
})

describe('a body or field that is a string of JSON', () => {
  const app = useApp()

  const mistakeOf = ({ status, body }: Answered) => {
    const detail = field(body, 'detail')
    const mistake = field(detail, '0')
    return [status, field(mistake, 'loc'), field(mistake, 'type'), field(mistake, 'msg')]
  }

  for (const [path, body] of [
    [runPath, submission],
    [chainPath, chain],
  ] as const) {
    it(`${path} takes a whole body as the object that it holds, and says so`, async () => {
      const answered = await app.post(path, JSON.stringify(JSON.stringify(body)))
      expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
      expect(field(answered.body, 'warnings')).to.deep.equal([sentence('body')])
      expect(answered.headers.get('warning')).to.equal(`299 - "${sentence('body')}"`)
      const record = await app.record(`/v1/commands/${idOf(answered)}`)
      expect(record['original_request']).to.deep.include(body)
    })

    for (const name of ['input_files', 'output_files', 'ffmpeg_commands']) {
      if (!(name in body)) continue
      it(`${path} takes ${name} as what it holds, and says so`, async () => {
        const answered = await app.post(path, withText(body, name))
        expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
        const type = name === 'ffmpeg_commands' ? 'array' : 'object'
        expect(field(answered.body, 'warnings')).to.deep.equal([sentence(`body.${name}`, type)])
        const record = await app.record(`/v1/commands/${idOf(answered)}`)
        expect(record['original_request']).to.deep.include(body)
      })
    }
  }

  it('metadata as a string of JSON is taken as the object, while its values stay texts', async () => {
    const metadata = { order: '{"id": 17}' }
    const answered = await app.post(runPath, withText({ ...submission, metadata }, 'metadata'))
    expect(field(answered.body, 'warnings')).to.deep.equal([sentence('body.metadata')])
    expect(await app.record(`/v1/commands/${idOf(answered)}`)).to.deep.include({ metadata })
  })

  it('a warning names a string of JSON in a dry run, a single command and a chain', async () => {
    for (const body of [submission, chain]) {
      const answered = await app.post(dry, JSON.stringify(JSON.stringify(body)))
      expect(answered.body).to.deep.include({ valid: true, warnings: [sentence('body')] })
      const fields = await app.post(dry, withText(body, 'input_files'))
      expect(fields.body).to.deep.include({
        valid: true,
        warnings: [sentence('body.input_files')],
      })
    }
  })

  it('a string of JSON is taken by the other calls with a body too', async () => {
    const file = { file_url: 'https://media.example/clip.mov' }
    const stored = await app.post('/v1/files/store-file', JSON.stringify(JSON.stringify(file)))
    expect(stored.status).to.equal(200)
    expect(stored.headers.get('warning')).to.equal(`299 - "${sentence('body')}"`)
    const hook = { url: 'https://app.example/', events: ['file.stored'] }
    const set = await app.call('/v1/webhook', { method: 'PUT', body: withText(hook, 'events') })
    expect(set.status, JSON.stringify(set.body)).to.equal(200)
    expect(field(set.body, 'events')).to.deep.equal(hook.events)
    const ids = { file_ids: '["0197a401-6c1e-7b52-9a51-2f5f0c9d1e01"]' }
    expect((await app.post('/v1/files/bulk-delete', ids)).status).to.equal(404)
  })

  it('a string of JSON is refused with the place where it does not parse', async () => {
    const broken = '{"in_1": "https://media.example/a.mp4",}'
    const at = broken.length - 1
    const reason = `at position ${at} (a comma stands before a closing bracket)`
    for (const name of ['input_files', 'output_files', 'metadata']) {
      for (const path of [runPath, dry]) {
        const answered = await app.post(path, { ...submission, [name]: broken })
        expect(mistakeOf(answered), `${path} ${name}`).to.deep.equal([
          422,
          ['body', name],
          'json_invalid',
          `Input is a string of JSON that does not parse ${reason}; send the object`,
        ])
      }
    }
    const commands = await app.post(chainPath, { ...chain, ffmpeg_commands: "['-i {{in_1}}']" })
    expect(mistakeOf(commands)[3]).to.match(/does not parse at position 1 .*; send the array$/)
    const cut = '{"ffmpeg_command": "-i'
    const whole = await app.post(runPath, JSON.stringify(cut))
    expect(mistakeOf(whole)).to.deep.equal([
      422,
      ['body'],
      'json_invalid',
      `Input is a string of JSON that does not parse at position ${cut.length} (it ends before its last bracket or quote is closed); send the object`,
    ])
  })

  it('a string of JSON is refused with both places where a key stands twice in it', async () => {
    const twice = '{"in_1": "https://media.example/a.mp4",\n "in_1": "https://media.example/b.mp4"}'
    const sentence =
      "Input is a string of JSON that is not clear: the key 'in_1' stands twice (line 2, column 2, and line 1, column 2); leave one of them out"
    for (const path of [runPath, dry]) {
      const answered = await app.post(path, { ...submission, input_files: twice })
      expect(mistakeOf(answered), path).to.deep.equal([
        422,
        ['body', 'input_files'],
        'json_invalid',
        sentence,
      ])
    }
    const whole = '{"ffmpeg_command": "-i", "ffmpeg_command": "-y"}'
    const answered = await app.post(runPath, JSON.stringify(whole))
    expect(mistakeOf(answered).slice(0, 3)).to.deep.equal([422, ['body'], 'json_invalid'])
  })

  it('a string of JSON is refused as the text of an object where a template made one of it', async () => {
    const answered = await app.post(runPath, { ...submission, input_files: '[object Object]' })
    expect(mistakeOf(answered).slice(1)).to.deep.equal([
      ['body', 'input_files'],
      'json_invalid',
      "Input is '[object Object]', the text that JavaScript makes of an object; send the object itself",
    ])
  })

  it('a string without JSON is refused as before', async () => {
    const answered = await app.post(runPath, { ...submission, input_files: 'a.mp4' })
    expect(mistakeOf(answered).slice(2)).to.deep.equal(['dict_type', 'Input should be an object'])
    const text = await app.post(runPath, '"hello"')
    expect(mistakeOf(text).slice(1)).to.deep.equal([
      ['body'],
      'dict_type',
      'Input should be an object',
    ])
  })
})
