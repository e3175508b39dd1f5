import { expect } from 'chai'
import { mkdir, writeFile } from 'node:fs/promises'
import { pidsGroup } from './control-group.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('the threads that the kernel refused a container', () => {
  const at = useScratch()

  it('reads refused threads from cgroups of version 2', async () => {
    await writeFile(at('pids.events'), 'max 3\n')
    expect(pidsGroup(at()).refusals()).to.equal(3)
  })

  it('reads refused threads from cgroups of version 1', async () => {
    await mkdir(at('pids'))
    await writeFile(at('pids/pids.events'), 'max 4\n')
    expect(pidsGroup(at()).refusals()).to.equal(4)
  })

  it('the number of refused threads is unknown when there is no group', () => {
    expect(pidsGroup(at()).refusals()).to.equal(null)
  })
})
