import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect } from 'chai'
import { generatedFiles } from './generated-files.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('generated files', () => {
  it('generated files are marked in .gitattributes, so that GitHub folds them in a comparison', async () => {
    const written = await generatedFiles(root)
    // Documents are written by hand, except for their tables.
    const whole = written.map((file) => file.path).filter((name) => !name.endsWith('.md'))
    const text = execFileSync('git', ['check-attr', 'linguist-generated', '--', ...whole], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(text.trim().split('\n')).to.deep.equal(
      whole.map((name) => `${name}: linguist-generated: set`),
    )
  }).timeout(30_000)
})
