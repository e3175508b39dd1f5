import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { secretFile } from './secret-file.ts'

describe('secretFile', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'secret-file-'))
    file = path.join(folder, 'key')
    await writeFile(file, 'first\n')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('returns the present text without the newline at its end', async () => {
    const read = secretFile(file)
    expect(read()).to.equal('first')
    await writeFile(file, 'second')
    expect(read()).to.equal('second')
  })

  it('returns the last text while the file is being replaced', async () => {
    const read = secretFile(file)
    read()
    await rm(file)
    expect(read()).to.equal('first')
    await writeFile(file, 'second')
    expect(read()).to.equal('second')
  })

  it('throws when there has never been a file', () => {
    expect(secretFile(path.join(folder, 'absent'))).to.throw(/absent/)
  })
})
