import { expect } from 'chai'
import { supervisorSettings } from './settings.ts'

describe("the supervisor's arguments", () => {
  const container = { architecture: 'arm64', program: '/app/supervisor.mjs' }

  it("the supervisor's arguments choose the sandbox and the filter of the architecture", () => {
    const settings = supervisorSettings({ sandbox: 'preferred', 'max-pixels': '1000' }, container)
    expect(settings.mode).to.equal('preferred')
    expect(settings.seccompFilter).to.match(/seccomp-arm64\.bpf$/)
  })

  it("the supervisor's arguments name what is wrong and what would be right", () => {
    const wrong =
      (sandbox: string, maxPixels: string, architecture = 'x64') =>
      () =>
        supervisorSettings({ sandbox, 'max-pixels': maxPixels }, { ...container, architecture })
    expect(wrong('maybe', '1')).to.throw("--sandbox 'maybe': use one of required, preferred, off")
    expect(wrong('off', '1.5')).to.throw("--max-pixels '1.5': use a whole number above 0")
    expect(wrong('off', '1', 's390x')).to.throw('no sandbox for s390x: run on x64 or arm64')
  })
})
