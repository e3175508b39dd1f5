import { expect } from 'chai'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { useScratch } from '../../../testing/support/scratch.ts'
import type { EndReason, RunLog } from '../../link/messages.ts'
import { openLogFile } from './log-file.ts'

const inputPaths = { in_1: '../in/in_1', in_2: '../in/in_10.mp4' }
const usual: RunLog = { path: 'log.txt', level: 32, isMarked: false, inputPaths }

describe('the file of a log', () => {
  const scratch = useScratch()

  async function written(
    chunks: readonly string[],
    log: Partial<RunLog> = {},
    fileBytes: number | null = null,
  ) {
    const reasons: EndReason[] = []
    const file = scratch('log.txt')
    const opened = openLogFile(file, { ...usual, ...log }, fileBytes, (why) => reasons.push(why))
    for (const chunk of chunks) opened.push(Buffer.from(chunk))
    opened.end()
    return { text: await readFile(file, 'utf8'), reasons }
  }

  it('the file of a log has the lines of FFmpeg without marks, however they were cut', async () => {
    const log = '[info] Input #0, wav:\n[silencedetect @ 0x55] [info] silence_start: 1\n'
    for (const chunks of [[log], log.split(/(?<=\n|e)/)]) {
      const { text } = await written(chunks)
      expect(text).to.equal('Input #0, wav:\n[silencedetect @ 0x55] silence_start: 1\n')
    }
  })

  it('the file of a log has a last line without a line end, and none of the service', async () => {
    const ours = '[info] ffmpeg stats and -progress period set to 1.\n'
    expect((await written([ours, '[info] end'])).text).to.equal('end\n')
  })

  it('names inputs by their aliases', async () => {
    const { text } = await written(["[info] from '../in/in_1', '/job/in/in_10.mp4', /job/work/a\n"])
    expect(text).to.equal("from '{{in_1}}', '{{in_2}}', a\n")
  })

  it('the file of a log leaves out what is below its level, with the further lines of a message', async () => {
    const log = '[info] {\n"a": 1\n}\nx265 [info]: done\n[error] bad\nworse\n[debug] fine\n'
    expect((await written([log], { level: 16 })).text).to.equal('x265 [info]: done\nbad\nworse\n')
    expect((await written([log], { level: 48, isMarked: true })).text).to.equal(log)
  })

  it('the file of a log ends at the size that a file may have, and says so once', async () => {
    const { text, reasons } = await written(['[info] 12345\n', '[info] 678\n', '[info] 9\n'], {}, 8)
    expect(text).to.equal('12345\n67')
    expect(reasons).to.deep.equal(['file_bytes'])
    expect((await written(['[info] 1234567\n'], {}, 8)).reasons).to.deep.equal([])
  })

  it('replaces what was there, and follows no link', async () => {
    await writeFile(scratch('log.txt'), 'a longer text from before')
    expect((await written(['[info] new\n'])).text).to.equal('new\n')
    const link = scratch('link.txt')
    await symlink(scratch('log.txt'), link)
    expect(() => openLogFile(link, usual, null, () => undefined)).to.throw('ELOOP')
  })
})
