import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { dereference } from './openapi.ts'
import { problemBody } from './refusal-codes.ts'

const described = dereference({ $ref: '#/components/schemas/ProblemCode' }) as { enum: string[] }
const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const rows = page.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| \S/gm)
const table = new Map([...rows].map(([, code = '', status = '']) => [code, Number(status)]))

describe('the codes of refusals', () => {
  it('docs/errors.md has each code of openapi.json, in its order', () => {
    expect([...table.keys()]).to.deep.equal(described.enum)
  })

  for (const status of new Set(table.values())) {
    it(`a refusal ${status} has a code that docs/errors.md lists for ${status}`, () => {
      expect(table.get(problemBody(status, 'no').code)).to.equal(status)
    })
  }

  it('the message is the detail when that is one text', () => {
    expect(problemBody(409, 'no', 'command_finished')).to.deep.equal({
      detail: 'no',
      code: 'command_finished',
      message: 'no',
    })
  })

  it('the message joins all mistakes, each with its place', () => {
    const detail = [
      {
        loc: ['body', 'input_files', 'in_1'],
        msg: 'Input should be a string',
        type: 'string_type',
      },
      { loc: ['body'], msg: 'The body is not JSON', type: 'json_invalid' },
    ] as const
    const mistakes = detail.map(({ loc, ...rest }) => ({ ...rest, loc: [...loc] }))
    expect(problemBody(422, mistakes)).to.deep.equal({
      detail: mistakes,
      code: 'invalid_request',
      message: 'input_files.in_1: Input should be a string; body: The body is not JSON',
    })
  })
})
