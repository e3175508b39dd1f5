import { expect } from 'chai'
import { planOf, stepOf } from '../../../testing/support/plan-one.ts'
import { commandAdvice } from '../advice/command-advice.ts'
import { missingGlyphs } from './missing-glyphs.ts'

const said = (options: string): string[] =>
  missingGlyphs(stepOf(`-i {{in_1}} -i {{in_2}} -vf "drawtext=${options}" {{out_1}}`), '')

const advised = (options: string): string | undefined =>
  /write (.*)$/.exec(said(options)[0] ?? '')?.[1]

describe('characters that drawtext has no glyphs for', () => {
  for (const [text, script, family] of [
    ['ひらがな', 'Japanese', 'WenQuanYi Micro Hei'],
    ['漢字かな', 'Japanese', 'WenQuanYi Micro Hei'],
    ['日本語', 'Chinese or Japanese', 'WenQuanYi Micro Hei'],
    ['한국어', 'Korean', 'WenQuanYi Micro Hei'],
    ['ภาษาไทย', 'Thai', 'Waree'],
    ['🚀', 'emoji', 'Noto Emoji'],
    ['👩🏽‍🚀 🇩🇪 1️⃣', 'emoji', 'Noto Emoji'],
    ['Sale 🔥', 'emoji', 'Symbola'],
    ['ราคา 50 Baht', 'Thai', 'Waree'],
  ] as const) {
    it(`missing characters are ${script} in ${text}, which ${family} has`, () => {
      expect(said(`text='${text}'`)).to.deep.equal([
        `text '${text}' in drawtext needs a font with ${script}; write font='${family}'`,
      ])
      expect(said(`text='${text}':font='${family}'`)).to.deep.equal([])
    })
  }

  for (const [text, script, family] of [
    ['हिन्दी', 'Devanagari', 'Noto Sans Devanagari'],
    ['தமிழ்', 'Tamil', 'Noto Sans Tamil'],
    ['ខ្មែរ', 'Khmer', 'Noto Sans Khmer'],
    ['বাংলা', 'Bengali', 'Noto Sans Bengali'],
  ] as const) {
    it(`missing characters are ${script} in ${text}, whose letters are not joined by drawtext`, () => {
      expect(said(`text='${text}'`)).to.deep.equal([
        `text '${text}' in drawtext needs a font with ${script}; write font='${family}'; drawtext leaves its letters apart, and the filter ass alone joins them`,
      ])
    })
  }

  for (const text of ['Größe → ✓', 'Việt', 'Привіт', 'Ελληνικά', 'سلام', 'שלום', 'Հայ ქარ', '😀']) {
    it(`no character of ${text} is missing in the default font`, () => {
      expect(said(`text='${text}'`)).to.deep.equal([])
      expect(said(`text='${text}':font='No Such Font'`)).to.deep.equal([])
    })
  }

  it('missing characters are those that the named font lacks, whose name is read as fontconfig reads it', () => {
    for (const font of ['Montserrat', 'open sans', 'LATO', 'RobotoMedium', 'Arial', 'Georgia']) {
      expect(advised(`text='سلام':font='${font}'`), font).to.equal("font='DejaVu Sans'")
    }
    expect(advised("text='Ωμέγα':font=Waree")).to.equal("font='DejaVu Sans'")
    expect(said("text='1, 2':font='Noto Sans Thai'")).to.deep.equal([
      "text '1, 2' in drawtext needs a font with digits and punctuation; write font='DejaVu Sans'",
    ])
  })

  it('missing characters are read from the text that FFmpeg sees', () => {
    for (const options of [
      '日本',
      "text='50\\\\% 日本'",
      "'text=a\\: 日本'",
      'x=1:text=%{pts}日本',
      'expansion=none:text=%{日本}',
    ]) {
      const asText = options === '日本' ? 'text=日本' : options
      expect(advised(asText), asText).to.equal("font='WenQuanYi Micro Hei'")
    }
  })

  it('missing characters are not looked for in files, in what is replaced, nor in a font of the user', () => {
    for (const options of [
      'text=日本:fontfile={{in_2}}',
      'textfile={{in_2}}:font=Lato',
      "text='%{metadata\\:日本}'",
      "text='a\\nb\\tc\u200b'",
    ]) {
      expect(said(options), options).to.deep.equal([])
    }
  })

  it('missing characters are found in graphs of all kinds', () => {
    for (const command of [
      '-i {{in_1}} -filter_complex "[0:v]hflip[a];[a]drawtext=text=日本[b]" -map [b] {{out_1}}',
      '-f lavfi -i "color,drawtext=text=日本" {{out_1}}',
      '-i {{in_1}} -filter:v drawtext@t=text=日本 {{out_1}}',
    ]) {
      expect(missingGlyphs(stepOf(command), ''), command).to.have.length(1)
    }
  })

  it('missing characters are drawn apart where no font has all of the text', () => {
    expect(said("text='你好 สวัสดี 🥰'")).to.deep.equal([
      "text '你好 สวัสดี 🥰' in drawtext needs a font with Chinese or Japanese, Thai and emoji; " +
        "no font here has all of it: write a drawtext of its own with font='WenQuanYi Micro Hei' for Chinese or Japanese, " +
        "font='Waree' for Thai and font='Noto Emoji' for emoji, or burn the text in as subtitles, " +
        'which take each character from a font that has it',
    ])
    expect(said("text='吉 𠮷'")[0]).to.match(
      /no font here has '𠮷': send one as an input and write its alias, as fontfile=\{\{in_2\}\}$/,
    )
  })

  it('missing characters include emoji in colour, which nothing draws', () => {
    for (const font of ['Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji']) {
      expect(said(`text=🚀:font='${font}'`)).to.deep.equal([
        `FFmpeg draws no emoji in colour: text in '${font}' in drawtext is drawn in one; write font='Noto Emoji'`,
      ])
    }
    expect(said("text='Go 🚀':font='Noto Color Emoji'")[0]).to.contain("write font='Symbola'")
  })

  it('missing characters are a warning with its code, which names the command of a chain', () => {
    const commands = ['-i {{in_1}} {{out_1}}', '-i {{out_1}} -vf drawtext=text=日本 {{out_2}}']
    const plan = planOf(commands, { outputs: { out_1: 'a.mp4', out_2: 'b.mp4' } })
    const advice = commandAdvice(plan, { chained: true, declaredInputs: ['in_1'] })
    expect(advice).to.deep.equal([
      {
        code: 'MISSING_GLYPHS',
        message:
          "text '日本' in drawtext in command 1 needs a font with Chinese or Japanese; write font='WenQuanYi Micro Hei'",
        alias: null,
      },
    ])
  })

  it('missing characters are said three times at most, with 40 characters of the text, in little time', () => {
    const texts = Array.from({ length: 300 }, (_, at) => `drawtext=text=${at}${'日'.repeat(50)}`)
    const step = stepOf(`-i {{in_1}} -vf "${texts.join(',')}" {{out_1}}`)
    const messages = missingGlyphs(step, '')
    expect(messages).to.have.length(3)
    expect(messages[0]).to.contain(`text '0${'日'.repeat(39)}…' in`)
  })
})
