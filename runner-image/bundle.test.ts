import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { bundleRunner, runnerPrograms } from './bundle.ts'

describe('the bundled programs', () => {
  it('the bundled programs do not load modules by a `require` that does not exist at run time', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'bundle-'))
    try {
      await bundleRunner(folder)
      for (const name of Object.keys(runnerPrograms)) {
        const text = await readFile(path.join(folder, `${name}.mjs`), 'utf8')
        expect(text, name).not.to.include('Dynamic require of')
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
