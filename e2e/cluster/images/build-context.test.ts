import { expect } from 'chai'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assembleContext, hashContext } from './build-context.ts'

describe('a build context', () => {
  let folder = ''
  let build = { context: '', inputs: ['common', 'package.json'] }
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'context-'))
    build = { ...build, context: path.join(folder, 'root') }
    await mkdir(path.join(folder, 'root/common'), { recursive: true })
    await writeFile(path.join(folder, 'root/common/a.ts'), 'a')
    await writeFile(path.join(folder, 'root/common/a.test.ts'), 'test')
    await writeFile(path.join(folder, 'root/package.json'), '{}')
    await writeFile(path.join(folder, 'root/secret'), 'not an input')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('holds the inputs and extras without tests, and nothing else', async () => {
    const target = path.join(folder, 'target')
    const extra = { 'package/bin/node': path.join(folder, 'root/secret') }
    await assembleContext({ ...build, extra }, target)
    expect((await readdir(target, { recursive: true })).toSorted()).to.deep.equal([
      'common',
      'common/a.ts',
      'package',
      'package.json',
      'package/bin',
      'package/bin/node',
    ])
  })

  it('has another hash when an input changes, is added or becomes executable, not when a test does', async () => {
    const hash = () => hashContext(build, '/cache')
    const seen = [await hash()]
    await writeFile(path.join(folder, 'root/common/a.test.ts'), 'other test')
    expect(await hash()).to.equal(seen[0])
    await writeFile(path.join(folder, 'root/common/a.ts'), 'b')
    seen.push(await hash())
    await writeFile(path.join(folder, 'root/common/b.ts'), '')
    seen.push(await hash())
    await chmod(path.join(folder, 'root/common/b.ts'), 0o755)
    seen.push(await hash())
    expect(new Set(seen).size).to.equal(4)
  })

  it('takes the path of what lies in the cache for its content', async () => {
    const extra = { node: '/cache/node-1/node' }
    const other = { node: '/cache/node-2/node' }
    expect(await hashContext({ ...build, extra }, '/cache')).not.to.equal(
      await hashContext({ ...build, extra: other }, '/cache'),
    )
  })
})
