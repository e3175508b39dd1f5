import { expect } from 'chai'
import { misnamedTests } from './machine-tests.ts'

const builder = 'images/build-runner.ts'
const file = (name: string, ...values: string[]) => ({ file: name, imports: values, values })

describe('misnamedTests', () => {
  it('returns a test that reaches a builder through other files', () => {
    const files = [file('cli/a.test.ts', 'testing/b.ts'), file('testing/b.ts', builder)]
    expect(misnamedTests(files)).to.deep.equal([
      `cli/a.test.ts reaches ${builder}: name it cli/a.machine.test.ts`,
    ])
  })

  it('returns nothing for tests that are named for it, and for types', () => {
    const types = { file: 'cli/b.test.ts', imports: [builder], values: [] }
    const named = ['machine', 'gate'].map((kind) => file(`cli/a.${kind}.test.ts`, builder))
    expect(misnamedTests([...named, types])).to.deep.equal([])
  })

  it('misnamedTests ends where files import each other', () => {
    expect(
      misnamedTests([file('cli/a.test.ts', 'x.ts'), file('x.ts', 'cli/a.test.ts')]),
    ).to.deep.equal([])
  })
})
