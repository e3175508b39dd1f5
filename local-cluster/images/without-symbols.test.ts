import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { withoutSymbols } from './without-symbols.ts'

describe('a program without symbols', () => {
  it('a program without symbols is smaller and runs as before', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'symbols-'))
    try {
      const before = await readFile(process.execPath)
      const after = withoutSymbols(before)
      expect(after.length).to.be.lessThan(before.length)
      const file = path.join(folder, 'node')
      await writeFile(file, after, { mode: 0o755 })
      const print = 'console.log(process.version, JSON.stringify(process.features))'
      const run = async (program: string) =>
        (await promisify(execFile)(program, ['-e', print])).stdout
      expect(await run(file)).to.equal(await run(process.execPath))
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('a program is refused when it is not an ELF file', () => {
    for (const text of ['', '#!/bin/sh\n'.padEnd(100)]) {
      expect(() => withoutSymbols(Buffer.from(text))).to.throw('must be a little-endian ELF file')
    }
  })
})
