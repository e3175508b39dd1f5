import { expect } from 'chai'
import { isInGate, parsePart, partOf } from './parts.ts'

describe('parts of the tests', () => {
  for (const [file, part, gate] of [
    ['common/domain/vcpus.test.ts', 'quick', true],
    ['local-cluster/tools/lock.test.ts', 'quick', true],
    ['api-server/files/files.machine.test.ts', 'servers', false],
    ['api-server/main.gate.test.ts', 'servers', true],
    ['common/database/limits/overshoot.machine.test.ts', 'database', false],
    ['e2e/installation/chart.gate.test.ts', 'chart', true],
    ['e2e/monitoring/alerts.machine.test.ts', 'chart', false],
    ['e2e/console/files.machine.test.ts', 'console', false],
    ['testing/corpus/corpus.gate.test.ts', 'corpus', true],
    ['testing/simulator/guards.machine.test.ts', 'simulator', false],
    ['e2e/stories/submit.gate.story.ts', 'stories', true],
    ['e2e/stories/recipes.story.ts', 'stories', false],
    ['e2e/stories/alone/restarts.gate.story.ts', 'alone', true],
  ] as const) {
    it(`puts ${file} into ${part}${gate ? ' and into npm test' : ''}`, () => {
      expect([partOf(file), isInGate(file)]).to.deep.equal([part, gate])
    })
  }

  it('lists the parts when one is misspelt', () => {
    expect(() => parsePart('storys')).to.throw(/'storys': use one of quick, servers, .*alone/)
  })
})
