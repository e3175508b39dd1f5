import { expect } from 'chai'
import { operation } from './openapi.ts'
import { validatorFor } from './validate.ts'
import type { Calls } from '../../common/openapi/openapi-types.ts'

const check = validatorFor<Calls['runFfmpegCommand']>(operation('runFfmpegCommand').schema)
const list = validatorFor<Calls['listCommands']>(operation('listCommands').schema)
const good = {
  input_files: { in_1: 'https://media.example/a.mov' },
  output_files: { out_1: 'a.mp4' },
  ffmpeg_command: '-i {{in_1}} {{out_1}}',
}

function submit(fields: object) {
  return check({ path: {}, query: {}, body: { ...good, ...fields } })
}

function warningsOf(fields: object): readonly string[] {
  const checked = submit(fields)
  if (!checked.ok) throw new Error(JSON.stringify(checked.mistakes))
  return checked.warnings
}

describe('unknown fields of a request', () => {
  it('returns no warning when every field is declared', () => {
    expect(warningsOf({ metadata: { anything: 1 }, vcpu_count: 2 })).to.deep.equal([])
  })

  const guesses: [string, string][] = [
    ['vcpus', 'vcpu_count'],
    ['timeout', 'max_command_run_seconds'],
    ['webhook', 'webhook_url'],
    ['vcpuCount', 'vcpu_count'],
    ['metdata', 'metadata'],
  ]
  for (const [sent, meant] of guesses) {
    it(`names ${meant} when the body has ${sent}`, () => {
      const text = `body.${sent} is unknown and ignored; did you mean '${meant}'?`
      expect(warningsOf({ [sent]: 1 })).to.deep.equal([text])
    })
  }

  it('returns a warning without advice when no declared name is near', () => {
    expect(warningsOf({ colour: 'red' })).to.deep.equal(['body.colour is unknown and ignored'])
  })

  it('names offset when the query of a list has page', () => {
    const checked = list({ path: {}, query: { page: '2' } })
    expect(checked.ok && checked.warnings).to.deep.equal([
      "query.page is unknown and ignored; did you mean 'offset'?",
    ])
  })

  for (const sent of ['private', 'isPrivate', 'is_privat', 'public']) {
    it(`rejects ${sent} because ignoring it would publish a private output`, () => {
      const checked = submit({ [sent]: true })
      expect(checked).to.deep.equal({
        ok: false,
        ignoredParameters: [],
        mistakes: [
          {
            loc: ['body', sent],
            msg: "Unknown field; it is named 'is_private', and ignoring it would publish the files",
            type: 'value_error',
          },
        ],
      })
    })
  }

  it('returns at most 20 warnings of at most 130 characters when a body has thousands of long names', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `${'x'.repeat(1_000)}${index}`)
    const warnings = warningsOf(Object.fromEntries(names.map((name) => [name, 1])))
    expect(warnings).to.have.lengthOf(20)
    expect(Math.max(...warnings.map((text) => text.length))).to.be.at.most(130)
  })

  it('keeps a field named __proto__ from changing the object', () => {
    const body: unknown = JSON.parse(`{"__proto__": {"x": 1}, ${JSON.stringify(good).slice(1)}`)
    const checked = check({ path: {}, query: {}, body })
    expect(checked.ok && checked.warnings).to.deep.equal(['body.__proto__ is unknown and ignored'])
  })
})
