import { expect } from 'chai'
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseLeftOut } from './left-out.ts'

describe('what a build from Go modules leaves out', () => {
  for (const program of ['kubernetes', 'versitygw']) {
    it(`leaves out files of modules that ${program} requires, with stand-ins that exist`, async () => {
      const source = path.join(import.meta.dirname, program)
      const goMod = await readFile(path.join(source, 'go.mod'), 'utf8')
      const leftOut = parseLeftOut(
        JSON.parse(await readFile(path.join(source, 'left-out.json'), 'utf8')),
      )
      expect(Object.keys(leftOut)).not.to.have.length(0)
      for (const [module, files] of Object.entries(leftOut)) {
        expect(goMod).to.include(`${module} v`)
        for (const instead of Object.values(files)) {
          if (instead !== null) await access(path.join(source, instead))
        }
      }
    })
  }

  it('a module is refused by name where the file says neither a stand-in nor nothing', () => {
    const leftOut = { 'example.com/module': { 'a.go': false } }
    expect(() => parseLeftOut(leftOut)).to.throw(
      'left-out.json: example.com/module: a.go: neither a file nor null',
    )
  })
})
