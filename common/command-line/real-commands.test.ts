import { expect } from 'chai'
import { planCommands } from './plan-commands.ts'
import { realCommands } from './real-commands.fixture.ts'
import { realPackages } from './real-packages.fixture.ts'

describe('command lines that people send', () => {
  for (const { title, ...submission } of [...realCommands, ...realPackages]) {
    it(`are accepted: ${title}`, () => {
      const result = planCommands(submission)
      expect(result.ok ? [] : result.errors).to.deep.equal([])
    })
  }
})
