import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { packageVersion } from './package-version.ts'

describe('the version of a package of the image', () => {
  let folder: string
  let list: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'packages-'))
    list = path.join(folder, 'packages.tsv')
    await writeFile(
      list,
      'ffmpeg-doc\t7:9.9-1\tffmpeg\t7:9.9-1\nffmpeg\t7:7.1.5-0+deb13u1\tffmpeg\tx\n',
    )
  })
  after(() => rm(folder, { recursive: true }))

  it('the version of a package is that of the line with exactly its name, without the epoch', () => {
    expect(packageVersion(list, 'ffmpeg')).to.equal('7.1.5-0+deb13u1')
  })

  it('the version is unknown when the list or the line is missing: a log line must not fail the run', () => {
    expect(packageVersion(list, 'setpriv')).to.equal('unknown')
    expect(packageVersion(path.join(folder, 'missing'), 'ffmpeg')).to.equal('unknown')
  })
})
