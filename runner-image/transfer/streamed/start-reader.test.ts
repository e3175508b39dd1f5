import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { longestStart } from './start.ts'
import { createStartReader } from './start-reader.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('reading the starts of files', () => {
  const at = useScratch()

  it('identifies a file by as many bytes as it may read', async () => {
    const path = await file('a.flv', Buffer.concat([Buffer.from('FLV\u0001'), Buffer.alloc(9000)]))
    const read = createStartReader()
    expect(await read(path, 100)).to.deep.equal({ kind: 'more', bytes: 4096 })
    expect(await read(path, 4096)).to.deep.equal({ kind: 'streamed', seconds: null })
  })

  it('answers for a file that has moved away, and goes on with the next', async () => {
    const read = createStartReader()
    const path = await file('a.flv', Buffer.alloc(9000))
    const answers = [read(at('gone'), 4096), read(at(), 4096), read(path, 4096)]
    const [gone, unreadable, next] = await Promise.allSettled(answers)
    expect(gone).to.deep.equal({ status: 'fulfilled', value: null })
    expect(unreadable?.status).to.equal('rejected')
    expect(next).to.deep.equal({ status: 'fulfilled', value: { kind: 'whole' } })
  })

  it('the reader needs the memory of one file for any number of them', async () => {
    const read = createStartReader()
    const path = await file('a.bin', Buffer.alloc(9000))
    const before = process.memoryUsage().arrayBuffers
    const answers = Array.from({ length: 40 }, () => read(path, longestStart))
    const most = await Promise.all(
      answers.map(async (answer) => {
        await answer
        return process.memoryUsage().arrayBuffers - before
      }),
    )
    expect(Math.max(...most)).to.be.below(1.5 * longestStart)
  })

  async function file(name: string, bytes: Buffer): Promise<string> {
    const path = at(name)
    await writeFile(path, bytes)
    return path
  }
})
