import { expect } from 'chai'
import { mkdir, writeFile } from 'node:fs/promises'
import { memoryGroup } from './control-group.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('the memory of a container', () => {
  const at = useScratch()
  const put = (name: string, text: string) => writeFile(at(name), text)

  it('reads the memory of a container from cgroups of version 2', async () => {
    await put('memory.current', '1000\n')
    await put('memory.peak', '3000\n')
    await put('memory.max', '4000\n')
    await put('memory.events', 'low 0\noom 2\noom_kill 1\noom_group_kill 0\n')
    const group = memoryGroup(at())
    expect(group.figures()).to.deep.equal({ current: 1000, peak: 3000, limit: 4000 })
    expect(group.oomKills()).to.equal(1)
  })

  it('the memory of a container is read from version 2 of an older kernel without limit', async () => {
    await put('memory.current', '1000\n')
    await put('memory.max', 'max\n')
    expect(memoryGroup(at()).figures()).to.deep.equal({
      current: 1000,
      peak: 1000,
      limit: null,
    })
  })

  it('the memory of a container is read from version 1, whose largest limit is none', async () => {
    await mkdir(at('memory'))
    await put('memory/memory.usage_in_bytes', '1000\n')
    await put('memory/memory.max_usage_in_bytes', '3000\n')
    await put('memory/memory.limit_in_bytes', '9223372036854771712\n')
    await put('memory/memory.oom_control', 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n')
    const group = memoryGroup(at())
    expect(group.figures()).to.deep.equal({ current: 1000, peak: 3000, limit: null })
    expect(group.oomKills()).to.equal(3)
  })

  it('the memory of a container is unknown when there is no group', async () => {
    const group = memoryGroup(at())
    expect([group.figures(), group.oomKills()]).to.deep.equal([null, null])
  })
})
