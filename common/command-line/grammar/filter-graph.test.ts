import { expect } from 'chai'
import fc from 'fast-check'
import { parseFilterGraph } from './filter-graph.ts'

const raw = String.raw

describe('parseFilterGraph', () => {
  for (const spelling of [
    'ladspa',
    'la\\dspa',
    "'ladspa'",
    "la'd'spa",
    'ladspa@one',
    ' \n ladspa \t',
    raw`\l\a\d\s\p\a`,
  ]) {
    it(`reads the name in ${JSON.stringify(spelling)} as FFmpeg does`, () => {
      expect(names(`${spelling}=file=x:plugin=y`)).to.deep.equal(['ladspa'])
    })
  }

  const graphs: [string, string[]][] = [
    ['null', ['null']],
    ["'null '", ['null ']],
    [raw`null\ `, ['null ']],
    ['[0:v] split [a][b] ; [a]hflip[c];\n[b][c] hstack', ['split', 'hflip', 'hstack']],
    ['sws_flags=bicubic;[0:v]scale=1:2,fps=5', ['scale', 'fps']],
    ['scale=1:2;', ['scale']],
    ['scale=1:2, ', ['scale']],
    ["select='gt(n,1)+lt(n,5)',setpts=N/TB", ['select', 'setpts']],
    [raw`select=gt(n\,1),null`, ['select', 'null']],
    ["drawtext=text='a;b[c],d':x=1[out]", ['drawtext']],
  ]
  for (const [text, expected] of graphs) {
    it(`finds ${expected.join(', ')} in ${JSON.stringify(text)}`, () => {
      expect(names(text)).to.deep.equal(expected)
    })
  }

  const values: [string, [string | null, string][]][] = [
    [
      'scale=640:-2:flags=lanczos',
      [
        [null, '640'],
        [null, '-2'],
        ['flags', 'lanczos'],
      ],
    ],
    ['pan=stereo|c0<c0+0.5*c2|c1<c1', [[null, 'stereo|c0<c0+0.5*c2|c1<c1']]],
    [raw`drawtext=text=a\\: b`, [['text', 'a: b']]],
    [
      raw`drawtext=text='%{pts\:hms}':x=1`,
      [
        ['text', '%{pts:hms}'],
        ['x', '1'],
      ],
    ],
    [raw`movie=C\\:/a.png`, [[null, 'C:/a.png']]],
    [
      'compand=.3|.3:1|1:-90/-60|-60/-40:6',
      [
        [null, '.3|.3'],
        [null, '1|1'],
        [null, '-90/-60|-60/-40'],
        [null, '6'],
      ],
    ],
    ['null=/x=1', [['/x', '1']]],
    [raw`drawtext=text=a\\\ `, [['text', 'a ']]],
    ["drawtext=text=\\'a \\'", [['text', 'a ']]],
    ['volume= volume = 0.5 ', [['volume', '0.5']]],
    ['scale=640:', [[null, '640']]],
  ]
  for (const [text, expected] of values) {
    it(`reads the arguments of ${text}`, () => {
      const graph = parseFilterGraph(text)
      if (!graph.ok) throw new Error(graph.reason)
      expect(
        graph.filters.flatMap((filter) => filter.arguments.map(({ key, value }) => [key, value])),
      ).to.deep.equal(expected)
    })
  }

  const broken: [string, string][] = [
    ['[0:v', "']' is missing"],
    ['[]null', 'a link label is empty'],
    ['null,,null', 'the name of a filter is missing'],
    ['null[a]null', "',' or ';' is missing"],
    ['scale=w=1:2', 'an argument without a name follows'],
    ['sws_flags=bicubic', "not ended by ';'"],
  ]
  for (const [text, reason] of broken) {
    it(`refuses the graph ${text}: ${reason}`, () => {
      const graph = parseFilterGraph(text)
      expect(graph.ok ? 'accepted' : graph.reason).to.contain(reason)
    })
  }

  it('parseFilterGraph never throws, and points into the text', () => {
    const graph = fc.string({ unit: charactersOf("ab=:,;[]\\' @/\n") })
    fc.assert(
      fc.property(graph, (text) => {
        const parsed = parseFilterGraph(text)
        if (!parsed.ok) expect(parsed.at).to.be.within(0, Math.max(text.length - 1, 0))
        else for (const filter of parsed.filters) expect(filter.range.to).to.be.at.most(text.length)
      }),
    )
  })
})

function names(text: string): string[] {
  const graph = parseFilterGraph(text)
  return graph.ok ? graph.filters.map(({ name }) => name) : [graph.reason]
}

function charactersOf(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(text))
}
