import { expect } from 'chai'
import { planCommands } from './plan-commands.ts'
import { realCommands } from './real-commands.fixture.ts'

describe('command lines that people send', () => {
  for (const { title, ...submission } of realCommands) {
    it(`are accepted: ${title}`, () => {
      const result = planCommands(submission)
      expect(result.ok ? [] : result.errors).to.deep.equal([])
    })
  }
})
