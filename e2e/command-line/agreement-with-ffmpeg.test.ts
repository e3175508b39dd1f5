import { expect } from 'chai'
import { filtersWithFiles } from '../../common/command-line/filter-files.ts'
import { parseFilterGraph } from '../../common/command-line/filter-graph.ts'
import filterNames from '../../common/command-line/filters.json' with { type: 'json' }
import { optionRefusal, takesValue } from '../../common/command-line/option-table.ts'
import { CommandFailed, runCommand } from '../cluster/run-command.ts'
import { clusterSettings } from '../cluster/settings.ts'
import { runnerRoot } from '../runner-image/build-runner.ts'

/** The tables of the command-line module are copies of what FFmpeg knows; a new FFmpeg shows here. */
describe('the command-line tables agree with the FFmpeg of the runner image', function () {
  this.timeout(60_000)
  let root = ''
  before(async function () {
    this.timeout(600_000)
    const say = (text: string): void => console.log(`      ${text}`)
    root = await runnerRoot({ settings: clusterSettings(process.env), say })
  })

  it('on the names of filters', async () => {
    const listing = await ffmpeg('-filters')
    const names = Array.from(listing.matchAll(/^ [T.][S.][C.] (\S+)/gm), ([, name = '']) => name)
    expect(names.toSorted()).to.deep.equal(filterNames)
  })

  it('on which options take a value', async () => {
    const listing = await ffmpeg('-h', 'long')
    const listed = Array.from(listing.matchAll(/^-([A-Za-z_]+)/gm), ([, name = '']) => name)
    const names = [...new Set(listed)].filter((name) => optionRefusal(`-${name}`) === null)
    expect(names.length).to.be.greaterThan(100)
    const valued = await inPairs(names, async (name) => {
      const answer = await ffmpeg(`-${name}`)
      return answer.includes('Missing argument')
    })
    expect(names.filter((name) => takesValue(name))).to.deep.equal(
      names.filter((_, index) => valued[index]),
    )
  })

  it('on the options of filters that name files, and on their order', async () => {
    for (const [filter, { positions, files }] of filtersWithFiles()) {
      if (!filterNames.includes(filter)) continue
      const listing = await ffmpeg('-h', `filter=${filter}`)
      const options = Array.from(listing.matchAll(/^ {1,4}(\w+) +<\w+>/gm), ([, name = '']) => name)
      const ours = positions.flat().filter((name) => name !== '')
      expect(options.slice(0, ours.length), filter).to.deep.equal(ours)
      for (const file of files.keys()) expect(options, filter).to.include(file)
    }
  })

  for (const graph of [
    'nosuch',
    'no\\such',
    "'nosuch'",
    "no'su'ch",
    'nosuch@one',
    ' \n nosuch \t',
    'null,nosuch',
    'null;nosuch=a=1',
    '[in]null[a];[a]nosuch[out]',
    "drawbox=x='1,nosuch':y=1,nosuch",
    'drawbox=x=1\\,2,nosuch',
    'sws_flags=bicubic;nosuch',
    "'null,nosuch'",
    'null[a',
    'null[a]null',
    '[]null',
    'scale=w=1:2',
    'sws_flags=bicubic',
    'null,',
    'null;',
    'null=',
  ]) {
    it(`on the reading of ${JSON.stringify(graph)}`, async () => {
      const words = await ffmpeg(
        ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'color=s=16x16:d=0.04'],
        ...['-vf', graph, '-f', 'null', '-'],
      )
      const missing = /No such filter: '([^']*)'/.exec(words)?.[1]
      const theirs = missing ?? (words === '' ? 'fine' : 'not understood')
      const parsed = parseFilterGraph(graph)
      const unknown = parsed.ok && parsed.filters.find(({ name }) => !filterNames.includes(name))
      const ours = parsed.ok ? (unknown ? unknown.name : 'fine') : 'not understood'
      expect(ours).to.equal(theirs)
    })
  }

  /** What FFmpeg prints, or says when it refuses: a refusal is an answer here. */
  async function ffmpeg(...args: string[]): Promise<string> {
    const argv = [root, '/usr/bin/ffmpeg', '-hide_banner', '-nostdin', ...args]
    try {
      return await runCommand('chroot', argv, { timeoutMs: 20_000 })
    } catch (error) {
      if (error instanceof CommandFailed) return error.stderr
      throw error
    }
  }
})

async function inPairs<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let index = 0; index < items.length; index += 2) {
    results.push(...(await Promise.all(items.slice(index, index + 2).map(run))))
  }
  return results
}
