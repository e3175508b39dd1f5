import { expect } from 'chai'
import openapi from '../../common/openapi/openapi.json' with { type: 'json' }
import { planLimits, requestLimits } from './limits-page.ts'

describe('the page about limits', () => {
  it('the page about limits has the figures of openapi.json', () => {
    expect(requestLimits())
      .to.contain('| body of a submission | 512 KiB |')
      .and.contain('| `metadata` | 10 keys; key and value have 512 characters each |')
    const changed = structuredClone(openapi)
    changed.components.schemas.Metadata.maxProperties = 12
    expect(requestLimits(changed)).to.contain('| `metadata` | 12 keys;')
  })

  it('the page about limits cannot be written when openapi.json has no figure for a limit', () => {
    const without = { ...openapi, components: {} }
    expect(() => requestLimits(without)).to.throw(/^openapi\.json has no number at \/components/)
  })

  it('the page has each limit of the default plans, and a dash where a plan has none', () => {
    const rows = planLimits().split('\n')
    expect(rows[0]).to.equal('| limit | free | pro | unlimited | meaning |')
    expect(rows).to.include('| `vcpuPerCommand` | 4 | 16 | 16 | Most vCPUs of one command. |')
    expect(rows).to.include("| `retention.logsDays` | 30 | 90 | – | FFmpeg's logs. |")
    expect(rows.find((row) => row.includes('`chained`'))).to.contain('| no | yes | yes |')
  })
})
