import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { argvOf, errorsOf, refusalOf, stepOf } from '../../../testing/support/plan-one.ts'
import { placeholderText } from '../model/placeholders.ts'
import { plainReading } from './reading.ts'
import { withoutRedirections } from './redirections.ts'
import { splitCommand } from './tokens.ts'

const analysis = '-i {{in_1}} -af silencedetect -f null -'
const text = { outputs: { out_1: 'log.txt' } }
const two = { outputs: { out_1: 'log.txt', out_2: 'tags.mp4' } }
const message = (command: string, outputs: Parameters<typeof errorsOf>[1] = text) =>
  errorsOf(command, outputs)[0]?.message

describe('redirections at the end of a command', () => {
  for (const redirection of [
    '2> {{out_1}}',
    '2>{{out_1}}',
    '2> "{{out_1}}"',
    `2>'{{out_1}}'`,
    '2> <<out_1>>',
    '2>> {{out_1}}',
    '2>|{{out_1}}',
    '&> {{out_1}}',
    '&>>{{out_1}}',
    '>& {{out_1}}',
    '> {{out_1}} 2>&1',
    '>{{out_1}} 2>&1',
    '2> {{ out_1 }} < /dev/null',
    '2> {{out_1}};',
    '> /dev/null 2> {{out_1}}',
    '2> {{out_1}} > NUL',
    '2> ./{{out_1}}',
  ]) {
    it(`redirections store the log as ${redirection}`, () => {
      const { log, writes } = stepOf(`${analysis} ${redirection}`, text)
      expect(log).to.deep.equal({ path: 'log.txt', level: 32, isMarked: false })
      expect(writes).to.deep.equal(['out_1'])
      expect(argvOf(`${analysis} ${redirection}`, text)).to.deep.equal(
        argvOf(analysis, { outputs: {} }),
      )
    })
  }

  it('redirections store the log beside what FFmpeg writes, and each in its own file', () => {
    const tags = '-i {{in_1}} -f ffmetadata -'
    for (const end of ['> {{out_2}} 2> {{out_1}}', '2> {{out_1}} > {{out_2}}']) {
      expect(stepOf(`${tags} ${end}`, two).log?.path, end).to.equal('log.txt')
      expect(argvOf(`${tags} ${end}`, two).at(-1), end).to.equal('tags.mp4')
    }
    expect(stepOf('-i {{in_1}} {{out_2}} 2> {{out_1}}', two).log?.path).to.equal('log.txt')
    const both = stepOf(`${tags} > {{out_1}} 2>&1`, text)
    expect([both.log, both.writes]).to.deep.equal([null, ['out_1']])
  })

  it('redirections store no log where it goes to the terminal or nowhere', () => {
    for (const end of ['', '2>&1', '2> /dev/null', '> /dev/null 2>&1', '&> nul', '</dev/null']) {
      expect(stepOf(`-i {{in_1}} {{out_1}} ${end}`).log, end).to.equal(null)
    }
  })

  it('redirections are files of any name with OUTPUT_FOLDER, and of the working directory', () => {
    const folder = { outputs: 'OUTPUT_FOLDER' } as const
    expect(stepOf(`${analysis} 2> logs/silence.txt`, folder)).to.deep.include({
      log: { path: 'logs/silence.txt', level: 32, isMarked: false },
      folders: ['logs'],
    })
    expect(refusalOf(`${analysis} 2> /tmp/a.txt`, folder)).to.equal('command_forbidden /tmp/a.txt')
  })

  it('redirections have an output as their file, which is written once and no input', () => {
    expect(message(`${analysis} 2> log.txt`)).to.match(
      /'log.txt' is not a declared output.*2> \{\{/,
    )
    expect(message(`${analysis} 2> {{out_9}}`)).to.contain("Unknown alias 'out_9'")
    expect(message(`${analysis} 2> {{in_1}}`)).to.contain('is an input, but stands where a file is')
    expect(message('-i {{in_1}} {{out_1}} 2> {{out_1}}', {})).to.contain('is written twice')
  })

  it('redirections are refused with words where they store nothing', () => {
    expect(message(`${analysis} 2>&1 > {{out_1}}`)).to.contain("'> {{out_1}} 2>&1' for both")
    for (const rest of ['2>&1 | grep silence', '2>&1 | tee {{out_1}}', '|& tee {{out_1}}']) {
      expect(message(`${analysis} ${rest}`), rest).to.contain('2> {{out_1}} at the end')
    }
    expect(message(`${analysis} > {{out_1}}`)).to.contain('write 2> {{out_1}} for its log')
    expect(message('-i {{in_1}} 2> {{out_1}} -f null -')).to.contain('at the end of the command')
  })

  it('redirections send the log where bash sends what a program writes to its standard error', function () {
    const samples = fc.sample(redirectionList, { numRuns: 400, seed: 5 })
    const inBash = logsOfBash(samples)
    if (inBash === null) return this.skip()
    const compared = samples.map((parts, index) => ({
      parts,
      ours: logOf(parts),
      bash: inBash[index],
    }))
    const taken = compared.filter(({ ours }) => ours !== 'refused')
    expect(taken.length).to.be.greaterThan(100)
    for (const { parts, ours, bash } of taken) expect(ours, parts.join(' ')).to.equal(bash)
    for (const { parts, bash } of compared.filter(({ ours }) => ours === 'refused')) {
      // Nothing that a shell would have stored is refused, but for an empty file beside the log.
      expect(
        bash === null || parts.some((part) => /^(?:>>?|&>|>&) /.test(part)),
        parts.join(' '),
      ).to.equal(true)
    }
  })
})

/** `F` is a file of its own at each place. */
const redirectionList = fc
  .array(
    fc.constantFrom(
      '2> F',
      '2>> F',
      '> F',
      '>> F',
      '&> F',
      '>& F',
      '2>&1',
      '>&2',
      '1>&2',
      '2> /dev/null',
      '> /dev/null',
      '< /dev/null',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.map((part, index) => part.replace('F', `out_${String(index)}`)))

/** The file that gets the log of an analysis, which writes nothing else. */
function logOf(parts: readonly string[]): string | null {
  const named = parts.map((part) => part.replace(/out_\d/, placeholderText))
  const source = `-f null - ${named.join(' ')}`
  const splitting = splitCommand(source)
  if (!splitting.ok) throw new Error('unreadable')
  const { log, refusal } = withoutRedirections(splitting.tokens, source)
  if (refusal !== null) return 'refused'
  return log === null ? null : plainReading(log.file).text.replaceAll(/[{}]/g, '')
}

function logsOfBash(samples: readonly (readonly string[])[]): (string | null)[] | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'redirections-'))
  const script = samples.map((parts, index) =>
    [
      `mkdir ${String(index)} && cd ${String(index)}`,
      `{ { echo log >&2; } ${parts.join(' ')}; } >/dev/null 2>&1`,
      'echo "$(grep -l log out_* 2>/dev/null)"; cd ..',
    ].join('\n'),
  )
  const bash = spawnSync('bash', ['-c', script.join('\n')], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (bash.status !== 0) return null
  return bash.stdout
    .split('\n')
    .slice(0, -1)
    .map((file) => (file === '' ? null : file))
}
