import { expect } from 'chai'
import { configFile, serverConfig } from '../../testing/support/api/config-file.ts'
import { planWith } from '../../testing/support/plans.ts'
import { InvalidSettings, readConfig, settingsFrom } from './settings.ts'

const schema = {
  properties: {
    server: {
      properties: {
        port: { type: 'integer', minimum: 1 },
        level: { enum: ['low', 'high'], default: 'low' },
        limits: {
          type: ['object', 'null'],
          default: null,
          properties: { cpu: { type: 'number' } },
        },
      },
    },
  },
}
interface Own {
  readonly server: { readonly port: number; readonly level: string; readonly limits: object | null }
}
const shared = serverConfig({ free: planWith({}) })
const settings = (config: object) => settingsFrom<Own>(schema, { ...shared, ...config }, {})

describe('settingsFrom', () => {
  it('returns the settings of both servers and those of the own schema, with their defaults', () => {
    const { server, metrics, plans } = settings({ server: { port: 1 } })
    expect(server).to.deep.equal({ port: 1, level: 'low', limits: null })
    expect(metrics).to.deep.equal({ port: 9090 })
    expect(plans).to.have.all.keys('free')
  })

  it('ignores a setting of another version', () => {
    expect(() => settings({ server: { port: 1, later: true }, later: {} })).to.not.throw()
  })

  it('names each mistake by its place in the values, with the value and the remedy', () => {
    const wrong = { server: { level: 'mid' }, metrics: { port: '9090' } }
    const remedy = 'correct it in the values of the chart'
    expect(() => settings(wrong))
      .to.throw(InvalidSettings)
      .with.property('message')
      .that.includes(`metrics.port must be integer; got "9090": ${remedy}`)
      .and.includes(
        `server.level must be equal to one of the allowed values: low, high; got "mid": ${remedy}`,
      )
      .and.includes('server.port must be set; it is not: add it to the values of the chart')
  })
})

describe('readConfig', () => {
  it('returns what the file has that the environment names', () => {
    const file = configFile({ a: 1 })
    expect(readConfig({ CLOUD_FFMPEG_CONFIG: file })).to.deep.equal({ a: 1 })
  })

  it('throws InvalidSettings without a file, and for one that is not there', () => {
    expect(() => readConfig({})).to.throw(InvalidSettings, 'CLOUD_FFMPEG_CONFIG must be the path')
    const absent = { CLOUD_FFMPEG_CONFIG: '/absent/config.json' }
    expect(() => readConfig(absent)).to.throw(InvalidSettings, "got '/absent/config.json'")
  })
})
