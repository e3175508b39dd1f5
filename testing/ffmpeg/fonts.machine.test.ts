import { expect } from 'chai'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import table from '../../common/command-line/fonts/fonts.json' with { type: 'json' }
import { imageFontFolders } from '../../common/command-line/fonts/absent-fonts.ts'
import { levelNumber } from '../../common/command-line/model/log-level.ts'
import { missingGlyphs } from '../../common/command-line/fonts/missing-glyphs.ts'
import { stepOf } from '../support/plan-one.ts'
import { cellsOf, glyphSheet } from './glyph-sheet.ts'
import { useSupervised } from './runner/use-runner.ts'

const words: Readonly<Record<string, string>> = {
  Latin: 'Čaũ',
  Cyrillic: 'Жїю',
  Arabic: 'سلم',
  Hebrew: 'שלם',
  Devanagari: 'हनद',
  Thai: 'ภาษ',
  'Chinese, simplified': '简龙发',
  'Chinese, traditional': '繁龍發',
  Japanese: 'ひカ語',
  Korean: '한국뷁',
  'emoji of 2010, 2018 and 2024': '🚀🥰🫩',
}

/** Unassigned in Unicode: what stands for it is the font's sign for a character that it lacks. */
const absent = '\u{10fffd}'

describe('the fonts of the runner image', () => {
  const supervised = useSupervised()

  it('the fonts of the image are those of the table that advice goes by', async () => {
    const written = path.join(supervised.root, 'usr/share/cloud-ffmpeg/fonts.json')
    expect(table, `copy ${written} to common/command-line/fonts/fonts.json`).to.deep.equal(
      JSON.parse(await readFile(written, 'utf8')),
    )
  })

  it('the fonts of the image lie in the folders that advice on fonts by their path goes by', async () => {
    const folders = await readdir(path.join(supervised.root, 'usr/share/fonts/truetype'))
    expect(folders.toSorted()).to.deep.equal(imageFontFolders)
  })

  it('the fonts are taken by drawtext under the names of the table, and else the default', async () => {
    // each takes a tenth of a second: of the many that are alike one of a kind
    const families = Object.entries(table.families).filter(([name]) => !name.startsWith('Noto S'))
    const expected = new Map<string, string>(families)
    const aliases = new Map(Object.entries(table.aliases).map(([name, file]) => [file, name]))
    for (const [file, name] of aliases) expected.set(name, file)
    for (const name of ['Sans', 'Verdana', 'No Such Font']) expected.set(name, table.otherwise)
    const names = [...expected.keys()]
    const filters = names.map((name) => `drawtext=text=A:font='${name}'`)
    const log = await logOf('-vf', filters.join(','), '-loglevel', 'level+verbose')
    const used = log.flatMap((line) => {
      const [, at, file] = /Parsed_drawtext_(\d+) .*Using ".*\/([^/"]+)"/.exec(line) ?? []
      return at === undefined ? [] : [[names[Number(at)], file]]
    })
    expect(Object.fromEntries(used)).to.deep.equal(Object.fromEntries(expected))
  })

  for (const [script, word] of Object.entries(words)) {
    it(`the fonts draw ${script} by drawtext in the font that is advised`, async () => {
      const font = advisedFont(word)
      const filters = (text: string) => glyphSheet.drawtext(text, font)
      await expectGlyphs(word, await cells(filters(word)), await cells(filters(absent)))
    })

    it(`the fonts draw ${script} in subtitles, whose style names no such font`, async () => {
      const boxes = await cells(await subtitles(absent))
      const log = await logOf('-vf', await subtitles(word), '-f', 'rawvideo', 'o.gray')
      expect(log.join('\n')).not.to.contain('failed to find any fallback')
      await expectGlyphs(word, await read(), boxes)
    })
  }

  for (const text of ['Sale 🔥 50', 'ราคา 50 Baht', '50 元 WOW 세일', 'Ж → ✓ Ω']) {
    it(`the fonts draw all of '${text}' in the one font that is advised`, async () => {
      const signs = [...new Set(text.replaceAll(' ', ''))].join('')
      const filters = (drawn: string) => glyphSheet.drawtext(drawn, advisedFont(text))
      await expectGlyphs(signs, await cells(filters(signs)), await cells(filters(absent)))
    })
  }

  it('the fonts have joined letters in the filter ass, as is advised, and not in subtitles', async () => {
    // the filter subtitles shapes as `simple` does, and has no option for it
    const conjunct = 'क्ष'
    const filters = await subtitles('')
    const file = path.join(supervised.container.job, 'in/in_2.ass')
    await writeFile(file, glyphSheet.subtitles('*').replace('*', conjunct))
    const ass = filters.replace('subtitles', 'ass')
    const simple = await cells(`${ass}:shaping=simple`)
    expect(await cells(filters)).to.deep.equal(simple)
    expect(await cells(`${ass}:shaping=complex`)).not.to.deep.equal(simple)
    expect(await cells(ass)).not.to.deep.equal(simple)
  })

  it('texts have boxes, as is warned, where the advice is not followed', async () => {
    for (const text of ['語', 'ภ', '🚀']) {
      const [drawn] = await cells(glyphSheet.drawtext(text, null))
      const [box] = await cells(glyphSheet.drawtext(absent, null))
      expect(drawn, text).to.deep.equal(box)
    }
  })

  function advisedFont(text: string): string | null {
    const step = stepOf(`-i {{in_1}} -vf "drawtext=text='${text}'" {{out_1}}`)
    const [advice] = missingGlyphs(step, '')
    return advice === undefined ? null : (/write font='([^']+)'/.exec(advice)?.[1] ?? 'none')
  }

  async function subtitles(text: string): Promise<string> {
    await writeFile(path.join(supervised.container.job, 'in/in_2.ass'), glyphSheet.subtitles(text))
    return 'subtitles=../in/in_2.ass'
  }

  async function cells(filters: string): Promise<Buffer[]> {
    await logOf('-vf', filters, '-f', 'rawvideo', 'o.gray')
    return read()
  }

  async function read(): Promise<Buffer[]> {
    return cellsOf(await readFile(path.join(supervised.container.job, 'work/o.gray')))
  }

  async function expectGlyphs(word: string, drawn: Buffer[], boxes: Buffer[]): Promise<void> {
    const [box] = boxes
    const blank = cellsOf(Buffer.alloc(glyphSheet.bytes))[0]
    for (const [at, character] of Array.from(word).entries()) {
      expect(drawn[at], character).not.to.deep.equal(blank)
      expect(drawn[at], character).not.to.deep.equal(box)
    }
  }

  /** One frame, made as a command of a user is: in the sandbox, with the limits of the service. */
  async function logOf(...options: string[]): Promise<string[]> {
    const output = options.includes('rawvideo') ? [] : ['-f', 'null', '-']
    const argv = ['-f', 'lavfi', '-i', glyphSheet.source, '-frames:v', '1', '-pix_fmt', 'gray']
    // The log of the link leaves out what is below info.
    const log = { path: 'log.txt', level: levelNumber('verbose'), isMarked: false, inputPaths: {} }
    const exited = await supervised.run([...argv, ...options, ...output], {}, [], log)
    expect(exited, exited.tail).to.include({ code: 0 })
    const written = await readFile(path.join(supervised.container.job, 'work/log.txt'), 'utf8')
    return written.split('\n')
  }
})
