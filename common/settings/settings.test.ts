import { expect } from 'chai'
import { readSettings, shape, InvalidSettings } from './settings.ts'

const variables = {
  PORT: { type: 'integer', minimum: 1, description: 'Port.' },
  VERBOSE: { type: 'boolean', default: false, description: 'More lines.' },
  NAME: { type: 'string', description: 'Name.' },
  LEVEL: { type: 'string', enum: ['low', 'high'], optional: true, description: 'Level.' },
  LIMITS: {
    type: 'object',
    shape: shape<{ cpu: number }>(),
    required: ['cpu'],
    properties: { cpu: { type: 'number' } },
    description: 'Limits.',
  },
} as const

describe('readSettings', () => {
  it('converts numbers, booleans and JSON, fills defaults and leaves other variables alone', () => {
    const environment = { PORT: '8080', NAME: 'x', LIMITS: '{"cpu": 2}', HOME: '/root' }
    const settings = readSettings(variables, environment)
    const port: number = settings.PORT
    const level: 'low' | 'high' | undefined = settings.LEVEL
    expect([port, level, settings.LIMITS.cpu]).to.deep.equal([8080, undefined, 2])
    expect(settings).to.deep.equal({ PORT: 8080, VERBOSE: false, NAME: 'x', LIMITS: { cpu: 2 } })
  })

  it('names every mistake in one message', () => {
    const environment = { PORT: 'zero', NAME: '', LEVEL: 'mid', LIMITS: '{"cpu"' }
    expect(() => readSettings(variables, environment))
      .to.throw(InvalidSettings)
      .with.property('message')
      .that.matches(/LIMITS: not JSON/)
      .and.matches(/PORT: must be integer/)
      .and.matches(/LEVEL: .*: low, high/)
      .and.matches(/NAME: is not set/)
  })

  it('takes the file of a variable in place of it, and names both when neither is set', () => {
    const URL = { type: 'string', optional: true, orFile: true, description: 'Address.' } as const
    const files = {
      URL,
      URL_FILE: { type: 'string', optional: true, description: 'File.' },
    } as const
    expect(readSettings(files, { URL_FILE: '/url' })).to.deep.equal({ URL_FILE: '/url' })
    expect(readSettings(files, { URL: 'x' })).to.deep.equal({ URL: 'x' })
    expect(() => readSettings(files, {})).to.throw(InvalidSettings, 'URL: is not set, nor URL_FILE')
  })
})
