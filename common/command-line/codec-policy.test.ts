import { expect } from 'chai'
import { refusalOf } from './plan-one.fixture.ts'

describe('option strings of encoders', () => {
  it('takes zones of an encoder, and no path beside them', () => {
    const zones = (more: string): string =>
      `-i {{in_1}} -c:v libx264 -x264-params zones=0,24,crf=20/25,49,crf=35${more} {{out_1}}`
    expect(refusalOf(zones(''))).to.equal('accepted')
    expect(refusalOf(zones(':stats=/tmp/a'))).to.contain('command_forbidden')
  })
})
