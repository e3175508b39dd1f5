import { expect } from 'chai'
import { importMistakes, sourceFile } from './imports.ts'

const values: string[] = []

describe('importMistakes', () => {
  it('returns nothing for folders that import in one direction', () => {
    const files = [
      {
        file: 'operator/loops/admit.ts',
        imports: ['common/store/store.ts', 'operator/main.ts'],
        values,
      },
      { file: 'operator/main.ts', imports: [], values },
    ]
    expect(importMistakes(files)).to.deep.equal([])
  })

  it('returns both imports when two folders import each other', () => {
    const files = [
      { file: 'operator/a/one.ts', imports: ['operator/b/two.ts'], values },
      { file: 'operator/b/three.ts', imports: ['operator/a/four.ts'], values },
    ]
    expect(importMistakes(files)).to.deep.equal([
      'operator/a and operator/b import each other: operator/a/one.ts imports operator/b/two.ts, and operator/b/three.ts imports operator/a/four.ts',
    ])
  })

  it('returns both imports when two parts import each other through different folders', () => {
    const files = [
      { file: 'e2e/steps/one.ts', imports: ['scripts/tests/two.ts'], values },
      { file: 'scripts/test.ts', imports: ['e2e/upgrade/four.ts'], values },
    ]
    expect(importMistakes(files)).to.deep.equal([
      'e2e and scripts import each other: e2e/steps/one.ts imports scripts/tests/two.ts, and scripts/test.ts imports e2e/upgrade/four.ts',
    ])
  })

  it('returns an import of a real cluster by a test that needs none', () => {
    const file = 'testing/attacks/a.machine.test.ts'
    const [mistake] = importMistakes([{ file, imports: ['e2e/steps/one.ts'], values }])
    expect(mistake).to.match(/^testing\/attacks\/a.machine.test.ts imports e2e\/steps\/one.ts: /)
  })

  it('returns an import that leads from a shared part up to one that shares it', () => {
    const files = [{ file: 'common/domain/plans.test.ts', imports: ['operator/main.ts'], values }]
    expect(importMistakes(files)).to.deep.equal([
      'common/domain/plans.test.ts imports operator/main.ts: common may import crds and testing alone',
    ])
  })

  it('lets tests import what production files must not', () => {
    const imports = ['testing/support/database.ts']
    expect(importMistakes([{ file: 'operator/a.test.ts', imports, values }])).to.deep.equal([])
    expect(importMistakes([{ file: 'operator/a.ts', imports, values }])).to.deep.equal([
      'operator/a.ts imports testing/support/database.ts: operator may import common and crds alone',
    ])
  })

  it('returns a folder of more than 15 source files, tests aside', () => {
    const files = Array.from({ length: 16 }, (_, index) => ({
      file: `cli/${index}.ts`,
      imports: [],
      values,
    }))
    expect(importMistakes(files)).to.deep.equal(['cli holds 16 source files; the most is 15'])
    const tests = files.map(({ file }) => ({
      file: file.replace('.ts', '.test.ts'),
      imports: [],
      values,
    }))
    expect(importMistakes(tests)).to.deep.equal([])
  })
})

describe('sourceFile', () => {
  it('finds values, types, re-exports and dynamic imports, and separates values from types', () => {
    const text = `import { a } from './a.ts'
import type { B } from '../b.ts'
export { c } from './c.ts'
const d = await import('./d/e.ts')
import path from 'node:path'`
    const [a, b, c, e] = [
      'operator/loops/a.ts',
      'operator/b.ts',
      'operator/loops/c.ts',
      'operator/loops/d/e.ts',
    ]
    const file = 'operator/loops/x.ts'
    expect(sourceFile(file, text)).to.deep.equal({
      file,
      imports: [a, b, c, e],
      values: [a, c, e],
    })
  })
})
