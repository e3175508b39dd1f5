import { expect } from 'chai'
import { walkArguments } from '../../common/command-line/grammar/arguments.ts'
import { readFilterValue } from '../../common/command-line/grammar/filter-value.ts'
import { filterOptions } from '../../common/command-line/grammar/option-table.ts'
import { plainReading } from '../../common/command-line/read/reading.ts'
import { splitCommand } from '../../common/command-line/read/tokens.ts'
import { clusterSettings } from '../../e2e/cluster/host/settings.ts'
import { runCommand } from '../../e2e/cluster/host/run-command.ts'
import { runnerRoot } from '../../e2e/installation/build-runner.ts'
import { exampleCommands, otherExamples } from './manual-examples.ts'
import {
  asOptionValue,
  beginsWithFilter,
  compareReadings,
  graphsIn,
  isGraph,
} from './manual-graphs.ts'
import { manualPages } from './manual-pages.ts'
import { refusalClass } from './manual-refusals.ts'
import { adaptExample } from './manual-submission.ts'
import { probeGraphKnowledge, type GraphKnowledge } from './manual-probe.ts'

/**
 * The numbers are written down by hand, after a look at every refusal behind them: FFmpeg's manual
 * is what people learn from, so a refusal that fits no class is a mistake of the grammar.
 */
describe("the examples of FFmpeg's own manual", function () {
  this.timeout(600_000)
  let commands: string[] = []
  let examples: string[] = []
  let graphs: string[] = []
  let knows: GraphKnowledge

  before(async () => {
    const settings = clusterSettings(process.env)
    const say = (text: string): void => console.log(`      ${text}`)
    const root = await runnerRoot({ settings, say })
    const answer = await runCommand('chroot', [root, '/usr/bin/ffmpeg', '-version'])
    const version = /^ffmpeg version (\S+)/.exec(answer)?.[1] ?? 'unknown'
    const pages = await manualPages({ version, settings, say })
    commands = [...new Set(pages.flatMap(exampleCommands))]
    examples = [...new Set(pages.flatMap(otherExamples))]
    graphs = [...new Set(examples.flatMap(graphsIn))]
    knows = probeGraphKnowledge(root)
  })

  it('are command lines that are taken, or refused for a reason of theirs', () => {
    expect(outcomes(commands)).to.deep.equal({
      taken: 305,
      device: 67,
      'network protocol': 31,
      'code or hardware filter': 29,
      'standard input or output': 15,
      'shell construct': 11,
      'hardware option': 8,
      'placeholder of the manual': 8,
      'other protocol': 4,
      'network format': 4,
      'network option': 4,
      information: 4,
      'filter of other builds': 4,
      'file option': 3,
      'hardware codec': 2,
      'value from a file': 2,
      'network filter': 1,
      'line broken in print': 1,
    })
  })

  it('are filter graphs that are taken, or refused for a reason of theirs', () => {
    const asCommands = graphs.map((graph) => `-filter_complex ${asOptionValue(graph)} OUTPUT`)
    expect(outcomes(asCommands)).to.deep.equal({
      taken: 426,
      'code or hardware filter': 28,
      device: 1,
      'standard input or output': 1,
      'pattern for a font file': 1,
    })
  })

  it('are graphs to FFmpeg where they are graphs here', async () => {
    expect(await knows.refusedAmong(graphs)).to.deep.equal([])
  })

  it('are refused by FFmpeg as graphs when they are refused here', async () => {
    const others = examples.filter((text) => beginsWithFilter(text) && !isGraph(text))
    expect(others.length).to.equal(13)
    expect(await knows.takenAmong(others)).to.deep.equal([])
  })

  it('mean the same with and without a shell in between, or mean something only here', () => {
    const values = [...graphs.flatMap(singleWords), ...commands.flatMap(filterValues)]
    const found = values.map(({ ours, fromShell }) => ({
      readings: compareReadings(ours, fromShell),
      ours,
    }))
    const different = found.filter(({ readings }) => readings === 'different')
    expect(different.map(({ ours }) => ours)).to.deep.equal([])
    expect(counted(found.map(({ readings }) => readings))).to.deep.equal({
      'same words': 516,
      'a graph only here': 43,
      'same graph': 27,
    })
  })
})

/** How many are taken, and how many are refused in each class; those without a class by themselves. */
function outcomes(texts: readonly string[]): Record<string, number> {
  return counted(
    texts.map((text) => {
      const { error } = adaptExample(text)
      return error === null ? 'taken' : (refusalClass(error) ?? `${text}: ${error.message}`)
    }),
  )
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

type Value = { ours: string; fromShell: string }

/** Graphs that are one word need no quotes of a shell around them. */
function singleWords(graph: string): Value[] {
  const splitting = splitCommand(graph)
  const [token, ...more] = splitting.ok ? splitting.tokens : []
  if (token === undefined || more.length > 0) return []
  return [{ ours: readFilterValue(token).reading.text, fromShell: plainReading(token).text }]
}

function filterValues(command: string): Value[] {
  const splitting = splitCommand(command)
  const walk = splitting.ok ? walkArguments(splitting.tokens.slice(1)) : null
  const options = walk?.ok === true ? walk.groups.flatMap((group) => group.options) : []
  return options.flatMap(({ name, value }) =>
    value === null || !filterOptions.has(name)
      ? []
      : [{ ours: readFilterValue(value).reading.text, fromShell: plainReading(value).text }],
  )
}
