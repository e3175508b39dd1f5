import { expect } from 'chai'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pidsGroup } from './control-group.ts'

describe('the threads that the kernel refused a container', () => {
  let mount = ''
  beforeEach(async () => {
    mount = await mkdtemp(path.join(tmpdir(), 'pids-'))
  })
  afterEach(() => rm(mount, { recursive: true }))

  it('are counted by version 2', async () => {
    await writeFile(path.join(mount, 'pids.events'), 'max 3\n')
    expect(pidsGroup(mount).refusals()).to.equal(3)
  })

  it('are counted by version 1', async () => {
    await mkdir(path.join(mount, 'pids'))
    await writeFile(path.join(mount, 'pids/pids.events'), 'max 4\n')
    expect(pidsGroup(mount).refusals()).to.equal(4)
  })

  it('are unknown when there is no group', () => {
    expect(pidsGroup(mount).refusals()).to.equal(null)
  })
})
