import { expect } from 'chai'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { assembleContext, hashContext } from './build-context.ts'
import { useScratch } from '../../testing/support/scratch.ts'

describe('a build context', () => {
  const at = useScratch()
  let build = { context: '', inputs: ['common', 'package.json'] }
  beforeEach(async () => {
    build = { ...build, context: at('root') }
    await mkdir(at('root/common'), { recursive: true })
    await writeFile(at('root/common/a.ts'), 'a')
    await writeFile(at('root/common/a.test.ts'), 'test')
    await writeFile(at('root/package.json'), '{}')
    await writeFile(at('root/secret'), 'not an input')
  })

  it('holds the inputs and extras without tests, and nothing else', async () => {
    const target = at('target')
    const extra = { 'package/bin/node': at('root/secret') }
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

  it('a context has another hash when an input changes, is added or becomes executable, not by a test', async () => {
    const hash = () => hashContext(build, '/cache')
    const seen = [await hash()]
    await writeFile(at('root/common/a.test.ts'), 'other test')
    expect(await hash()).to.equal(seen[0])
    await writeFile(at('root/common/a.ts'), 'b')
    seen.push(await hash())
    await writeFile(at('root/common/b.ts'), '')
    seen.push(await hash())
    await chmod(at('root/common/b.ts'), 0o755)
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
