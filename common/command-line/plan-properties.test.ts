import { expect } from 'chai'
import fc from 'fast-check'
import { customerArgv, defaultMaxPixels, finalArgv } from './plan/final-argv.ts'
import { planCommands } from './plan/plan-commands.ts'
import type { CommandSubmission, StepPlan } from './model/plan.ts'

const raw = String.raw
const runs = { numRuns: 500 }

/** A name that no generated text holds. */
const outputName = 'made-here.mp4'
const submission: CommandSubmission = {
  commands: [],
  inputAliases: ['in_1', 'in_2'],
  outputs: { out_1: outputName },
  inputFolder: false,
  chained: false,
}
const limits = { vcpuCount: 4, maxPixels: defaultMaxPixels }
/** Each path is the command's own name for it, so that an argv is a command again. */
const asWritten = { ...limits, inputPaths: { in_1: '{{in_1}}', in_2: '{{in_2}}' } }
const asPaths = { ...limits, inputPaths: { in_1: '../in/in_1.mp4', in_2: '../in/in_2' } }

describe('planCommands, for any input', () => {
  it('planCommands never throws for any input', () => {
    const anything = fc.oneof(commandText, anyText)
    const variants = fc.record({
      inputFolder: fc.boolean(),
      outputs: fc.constantFrom<CommandSubmission['outputs']>('OUTPUT_FOLDER', {}, { out_1: 'a.b' }),
      chained: fc.boolean(),
    })
    fc.assert(
      fc.property(anything, anything, variants, (text, next, { chained, ...variant }) => {
        const commands = chained ? [text, next] : [text]
        planCommands({ ...submission, ...variant, chained, commands })
      }),
      runs,
    )
  })

  it('reports for every error the text at its position', () => {
    fc.assert(
      fc.property(commandText, (text) => {
        const result = planCommands({ ...submission, commands: [text] })
        const error = result.ok ? undefined : result.errors[0]
        if (error?.position === undefined || error.position === null) return
        const written = Array.from(text).slice(error.position - 1)
        const token = Array.from(error.token ?? '')
        expect(token.length).to.be.within(1, 200)
        expect(written.slice(0, token.length)).to.deep.equal(token)
      }),
      runs,
    )
  })

  it('leaves no placeholder in the arguments, and their number is the same for all paths', () => {
    fc.assert(
      fc.property(commandText, (text) => {
        const step = planned(text)
        if (step === null) return
        const argv = finalArgv(step, asPaths)
        expect(argv.filter((word) => /\{\{ *\w+ *\}\}/.test(word))).to.deep.equal([])
        expect(argv.length).to.equal(finalArgv(step, asWritten).length)
      }),
      runs,
    )
  })

  it('understands what FFmpeg gets, quoted for a shell, as it understood the command', () => {
    fc.assert(
      fc.property(commandText, (text) => {
        const step = planned(text)
        if (step === null) return
        const argv = customerArgv(step, asWritten)
        const words = argv.map((word) => word.replaceAll(outputName, '{{out_1}}'))
        const log = step.log === null ? '' : ' 2> {{out_1}}'
        const again = planned(words.map(quotedForShell).join(' ') + log)
        expect(again && customerArgv(again, asWritten)).to.deep.equal(argv)
        expect(again && facts(again)).to.deep.equal(facts(step))
      }),
      runs,
    )
  })

  it('gives FFmpeg the same arguments whether its log is stored or not', () => {
    fc.assert(
      fc.property(commandText, fc.constantFrom('2> ', '2>', '&> ', ' 2>>'), (text, operator) => {
        const step = planned(text)
        if (step === null || step.log !== null) return
        // A semicolon, a redirection or a continued line at the end is one no longer.
        if (/[;>\\][^{]*$|> \{\{out_1\}\}$/.test(text)) return
        const outputs = { out_1: outputName, out_log: 'log.txt' }
        const commands = [`${text} ${operator}{{out_log}}`]
        const result = planCommands({ ...submission, outputs, commands })
        const logged = result.ok ? result.plan.steps[0] : undefined
        expect(logged?.log?.path, commands[0]).to.equal('log.txt')
        expect(logged && customerArgv(logged, asPaths)).to.deep.equal(customerArgv(step, asPaths))
      }),
      runs,
    )
  })

  it('accepts enough of the drawn commands', () => {
    const texts = fc.sample(commandText, { numRuns: 1_000, seed: 5 })
    expect(texts.filter((text) => planned(text) !== null).length).to.be.greaterThan(200)
  })
})

/** Everything but where in the text something stands, and what was left out of it. */
function facts(step: StepPlan): object {
  const { reads, writes, folders, usesWorkingFiles, dependsOn } = step
  const kinds = step.groups
    .filter(({ target, options: kept }) => target !== null || kept.length > 0)
    .map(({ kind, alias, format }) => ({ kind, alias, format }))
  const roles = step.placeholders.map(({ alias, role }) => ({ alias, role }))
  return { kinds, roles, reads, writes, folders, usesWorkingFiles, dependsOn }
}

const vocabulary = [
  '-i',
  '-vf',
  '-f',
  '-map',
  '-c:v',
  '-metadata',
  '-y',
  '-',
  '--',
  '-f lavfi -i',
  '-ss',
  '""',

  '{{in_1}}',
  '{{ in_2 }}',
  '<<in_1>>',
  raw`\{\{in_1\}\}`,
  '{{in_3}}',
  '{{out_1}}',
  '{{out_2}}',
  'a.mp4',
  '/etc/passwd',
  '../x',
  'http://x/y',
  'pipe:1',
  '|',
  '>',
  '&&',
  '“a”',
  '–i',
  '\\\n',
  "'",
  '"',
  '\\',
  '\\ ',
  '\t',
  '\r\n',
  '[',
  ']',
  ':',
  '=',
  ';',
  ',',
  '%',
  '@',
  '😀',
  '\u00a0',

  '2>',
  '2>&1',
  '&>',
  '> {{out_1}}',
  '2>{{out_1}}',
  'f_%03d.png',
  '-i f_*.png',
  '-i f_%03d.png',
  '-filter_complex',
  '-progress',
  '-/vf',
  '-hwaccel',
  '-h',
  '-absf',
  '-threads',
  'ffmpeg',
]

const options = [
  "-vf select='gt(n\\,1)',setpts='PTS*0.5'",
  raw`-vf "drawtext=text='a b':x=10,scale=-2:320"`,
  raw`-vf drawtext=text=a\\:b:x=1`,
  raw`-vf drawtext=text="A B":textfile={{in_2}}`,
  '-vf subtitles={{ in_2 }}:force_style=Fontsize=24',
  "-filter_complex '[0:v]split[a][b];[a][b]hstack[v]' -map '[v]'",
  '-filter_complex [0:v]hflip[v];movie={{in_2}}[m];[v][m]overlay',
  '-af pan=stereo|c0=c0|c1=c1',
  '-vf ""',
  raw`-metadata title="say \"hi\" \n" -metadata:s:a:0 artist='It'\''s'`,
  '-c:v libx264 -crf 23 -preset fast',
  '-c:v libx265 -x265-params crf=20',
  '-threads 512',
  '-pass 1 -passlogfile log',
  '-attach {{in_2}}',
  '-ss 00:00:01 -t 2',
  '-map 0:v? -map -0:s',
  '-no_such_thing 1',
  '-y -v debug -nostats',
  '-f null NUL',
  '-f mp4 /dev/null',
  '-f lavfi -graph testsrc -i x',
  '-max_pixels 1e9 -i {{in_2}}',
  '-i concat:{{in_1}}|{{in_2}}',
  '-vf nosuch=a=1:b=c',
]

const anyWord = fc.oneof(
  fc.constantFrom(...vocabulary),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(...Array.from('ab \'"\\{}[]<>|&;=:,%$é😀')), maxLength: 8 }),
)

/** Whole commands with mistakes in between, so that many are taken and many are nearly so. */
const commandText = fc
  .record({
    before: fc.array(fc.constantFrom(...options), { maxLength: 1 }),
    after: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...options) },
        { weight: 1, arbitrary: anyWord },
      ),
      { maxLength: 6 },
    ),
    noise: fc.array(anyWord, { maxLength: 1 }),
    blank: fc.constantFrom(' ', '  ', '\n', ' \\\n', '\t', ' \\ \r\n'),
  })
  .map(({ before, after, noise, blank }) =>
    [...before, '-i {{in_1}}', ...after, '{{out_1}}', ...noise].join(blank),
  )

/** Halves of surrogate pairs included. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units))

function planned(text: string): StepPlan | null {
  const result = planCommands({ ...submission, commands: [text] })
  return result.ok ? (result.plan.steps[0] ?? null) : null
}

function quotedForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
