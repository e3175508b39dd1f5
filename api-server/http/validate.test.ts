import { expect } from 'chai'
import fc from 'fast-check'
import { input, inputs, metadata, pairs, text, zip } from '../submission-bodies.fixture.ts'
import { schemaMistakes, urlOf } from '../submission-mistakes.fixture.ts'
import { operation } from './openapi.ts'
import { validatorFor } from './validate.ts'
import type { Calls } from '../../common/openapi/openapi-types.ts'

const check = validatorFor<Calls['runFfmpegCommand']>(operation('runFfmpegCommand').schema)

const good = {
  ffmpeg_command: '-i {{in_1}} {{out_1}}',
  input_files: { in_1: 'https://media.example/a.avi' },
  output_files: { out_1: 'a.mp4' },
}

function mistakesOf(body: unknown): string[] {
  const result = check({ path: {}, query: {}, ...(body === undefined ? {} : { body }) })
  return result.ok
    ? []
    : result.mistakes.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`.trim())
}

describe('the schema of a submission', () => {
  const accepted: [string, object][] = [
    ['the smallest request', {}],
    ['no inputs at all', { input_files: {} }],
    ['no outputs at all', { output_files: {} }],
    ['a command of 65,536 bytes', text('é'.repeat(32_768))],
    ['200 inputs', inputs(200)],
    ['blanks around a URL', input(' https://a.example/b\n')],
    ['a URL of 8,192 characters', input(urlOf(8_192))],
    ['a zip beside no inputs', { input_files: {}, input_compressed_folder: zip }],
    ['ten pairs of metadata', metadata(pairs(10))],
    ['keys and values of 512 characters', metadata({ ['😀'.repeat(512)]: '😀'.repeat(512) })],
  ]
  for (const [what, change] of accepted) {
    it(`accepts a body: ${what}`, () => {
      expect(mistakesOf(JSON.parse(JSON.stringify({ ...good, ...change })))).to.deep.equal([])
    })
  }

  for (const [what, change, ...mistakes] of schemaMistakes) {
    it(`rejects a body: ${what}`, () => {
      expect(mistakesOf(JSON.parse(JSON.stringify({ ...good, ...change })))).to.deep.equal(mistakes)
    })
  }

  it('reports a missing body, and a body that is not an object', () => {
    expect(mistakesOf(undefined)).to.deep.equal(['missing'])
    expect([null, [], 'x', 5].map(mistakesOf)).to.deep.equal(Array(4).fill(['dict_type']))
  })

  it('says where OUTPUT_FOLDER goes that a chain does not take', () => {
    const { schema } = operation('runChainedFfmpegCommands')
    const chained = validatorFor<Calls['runChainedFfmpegCommands']>(schema)
    const { ffmpeg_command: command, ...rest } = good
    const body = { ...rest, ffmpeg_commands: [command], output_files: 'OUTPUT_FOLDER' }
    const result = chained({ path: {}, query: {}, body })
    expect(result.ok ? [] : result.mistakes).to.deep.equal([
      {
        loc: ['body', 'output_files'],
        msg: 'Input should be an object: a chain stores the files named here; "OUTPUT_FOLDER" is for a single command',
        type: 'dict_type',
      },
    ])
  })

  it('fills in defaults and converts values in a copy', () => {
    const body = { ...good, vcpu_count: '4', is_private: 'False', metadata: null }
    const result = check({ path: {}, query: {}, body })
    expect(result.ok && result.value.body).to.deep.equal({
      ...good,
      vcpu_count: 4,
      is_private: false,
      priority: 'normal',
    })
    expect(body.vcpu_count).to.equal('4')
  })

  it('says what stands in place of the name of an output', () => {
    const messages = ['s3://b/a.mp4', '{{$json.name}}.mp4', '${name}.mp4', 'a b.mp4'].map(
      (name) => {
        const result = check({
          path: {},
          query: {},
          body: { ...good, output_files: { out_1: name } },
        })
        return result.ok ? '' : (result.mistakes[0]?.msg ?? '')
      },
    )
    expect(messages[0]).to.contain('is a URL; the service stores outputs itself')
    expect(messages[1]).to.contain("'{{$json.name}}', which was not filled in")
    expect(messages[2]).to.contain("'${name}', which was not filled in")
    expect(messages[3]).to.contain("An output's name holds letters")
  })

  it('names what was found in place of a missing field', () => {
    const said = (body: object) => {
      const result = check({ path: {}, query: {}, body: { ...good, ...body } })
      return result.ok ? [] : result.mistakes.map(({ msg }) => msg)
    }
    const { ffmpeg_command: text, output_files: outputs } = good
    expect(said({ ffmpeg_command: undefined, cmd: text })).to.deep.equal([
      "Field required; found 'cmd'",
    ])
    expect(said({ ffmpeg_command: undefined, ffmpeg_commands: [text] })).to.deep.equal([
      "Field required; found 'ffmpeg_commands'; for several commands use POST /v1/run-chained-ffmpeg-commands",
    ])
    expect(said({ output_files: undefined, OutputFiles: outputs })).to.deep.equal([
      "Field required; found 'OutputFiles'",
    ])
    expect(said({ output_files: undefined, color: 'red' })).to.deep.equal(['Field required'])
  })

  it('names {} when input_files is left out', () => {
    const asked = ['runFfmpegCommand', 'runChainedFfmpegCommands'] as const
    for (const id of asked) {
      const result = validatorFor(operation(id).schema)({ path: {}, query: {}, body: {} })
      const mistake = (result.ok ? [] : result.mistakes).find(({ loc }) => loc[1] === 'input_files')
      expect(mistake, id).to.deep.equal({
        loc: ['body', 'input_files'],
        msg: 'Field required: send {} if there is no input',
        type: 'missing',
      })
    }
  })

  it('takes an empty optional field as absent and names it, and says of a required one that it is empty', () => {
    const checked = (body: object) => check({ path: {}, query: {}, body: { ...good, ...body } })
    const taken = checked({ webhook_url: '', vcpu_count: '', input_compressed_folder: '' })
    expect(taken.ok && taken.warnings).to.deep.equal(
      ['webhook_url', 'vcpu_count', 'input_compressed_folder'].map(
        (name) => `body.${name} is empty and counts as absent`,
      ),
    )
    const refused = checked({
      ffmpeg_command: '',
      input_files: '',
      output_files: '',
      is_private: '',
    })
    const said = refused.ok ? [] : refused.mistakes.map(({ loc, msg }) => `${loc[1]}: ${msg}`)
    expect(said).to.have.members([
      'ffmpeg_command: Input is empty',
      'input_files: Field required: send {} if there is no input; it was sent empty',
      'output_files: Input is empty; it should be an object of output names, or "OUTPUT_FOLDER"',
      'is_private: Input is empty; it should be true or false',
    ])
  })

  it('reports at most twenty mistakes for any body', () => {
    const found = mistakesOf({ ...good, ...inputs(30_000, 5) })
    expect(found).to.have.length(20)
  })

  it('returns a result for any JSON value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(...Object.keys(good), 'metadata', 'x'),
        (value, key) => {
          mistakesOf({ ...good, [key]: value })
          mistakesOf(value)
        },
      ),
    )
  })
})
