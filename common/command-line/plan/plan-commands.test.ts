import { expect } from 'chai'
import fc from 'fast-check'
import { errorsOf, folders, planOf, refusalOf } from '../../../testing/support/plan-one.ts'
import { planCommands } from './plan-commands.ts'

const raw = String.raw

describe('planCommands', () => {
  it('gives the dry run its placeholders', () => {
    const plan = planOf('-i {{in_1}} -vf "scale=-2:320" -c:a aac {{out_1}}')
    expect(plan.steps[0]?.placeholders).to.deep.equal([
      { alias: 'in_1', role: 'input', position: 4 },
      { alias: 'out_1', role: 'output', position: 41 },
    ])
    expect(plan.usedInputs).to.deep.equal(['in_1'])
  })

  for (const spelling of [
    '{{in_1}}',
    '{{ in_1 }}',
    '{{  in_1}}',
    raw`\{\{in_1\}\}`,
    raw`\{{in_1}}`,
    '<<in_1>>',
    '<< in_1 >>',
    "'{{in_1}}'",
    '"<<in_1>>"',
  ]) {
    it(`knows the placeholder ${spelling}`, () => {
      expect(planOf(`-i ${spelling} {{out_1}}`).steps[0]?.reads).to.deep.equal(['in_1'])
    })
  }

  it('distinguishes inputs, outputs and references', () => {
    const outputs = { outputs: { out_1: 'a.mkv', out_2: 'b.log' } }
    const command =
      '-i {{in_1}} -filter_complex "movie={{in_2}}[m];[0][m]overlay,metadata=print:file={{out_2}},drawtext=text={{in_2}}" -attach {{in_1}} {{out_1}}'
    const roles = planOf(command, outputs).steps[0]?.placeholders.map(
      ({ alias, role }) => `${alias} ${role}`,
    )
    expect(roles).to.deep.equal([
      'in_1 input',
      'in_2 reference',
      'out_2 output',
      'in_2 reference',
      'in_1 reference',
      'out_1 output',
    ])
  })

  it('counts positions in Unicode characters', () => {
    const [error] = errorsOf('-metadata title=😀é -i {{in_9}} {{out_1}}')
    expect(error).to.deep.include({ token: '{{in_9}}', position: 23 })
  })

  const aliasErrors: [string, string][] = [
    ['-i {{in_3}} {{out_1}}', '{{in_3}}'],
    ['-i {{IN_1}} {{out_1}}', '{{IN_1}}'],
    ['-i {{ name }} {{out_1}}', '{{ name }}'],
    ['-i {{in_1}} -vf drawtext=text={{name}} {{out_1}}', '{{name}}'],
    ['-i {{in_1}} {{out_2}}', '{{out_2}}'],
    ['-i {{in_1}} {{in_2}}', '{{in_2}}'],
    ['-i {{out_1}} {{out_1}}', '{{out_1}}'],
    ['-i {{in_1}} {{out_1}} {{out_1}}', '{{out_1}}'],
    ['-i {{in_1}} -metadata title={{out_1}} {{out_1}}', '{{out_1}}'],
    ['-i {{in_1}} -passlogfile {{in_2}} {{out_1}}', '{{in_2}}'],
    ['-i in.mp4 {{out_1}}', 'in.mp4'],
    ['-i {{in_1}}.bak {{out_1}}', '{{in_1}}.bak'],
    ['-i ../{{in_1}} {{out_1}}', '../{{in_1}}'],
    ['-i {{in_1}} a{{out_1}}', 'a{{out_1}}'],
    ['-i {{in_1}} out.mp4', 'out.mp4'],
    ['-i {{in_1}} -vf scale=1:2, hflip {{out_1}}', 'hflip'],
    ['-i {{in_1}} -master_pl_name {{out_1}} v%v/a.m3u8', '{{out_1}}'],
  ]
  for (const [command, token] of aliasErrors) {
    it(`points at ${token} in ${command}`, () => {
      expect(refusalOf(command)).to.equal(`command_alias ${token}`)
    })
  }

  it('names token, position and what is declared', () => {
    const declared = { inputAliases: ['in_1'] }
    expect(errorsOf('-i {{in_2}} {{out_1}}', declared)).to.deep.equal([
      {
        command: 0,
        type: 'command_alias',
        message: "Unknown alias 'in_2' in '{{in_2}}' at character 4; declared: in_1, out_1",
        token: '{{in_2}}',
        position: 4,
      },
    ])
    expect(errorsOf('-i {{In_1}} {{out_1}}')[0]?.message).to.contain("did you mean 'in_1'?")
  })

  it('rejects a declared output that no step writes', () => {
    const outputs = { outputs: { out_1: 'a.mp4', out_2: 'b.mp4' } }
    expect(errorsOf('-i {{in_1}} {{out_1}}', outputs)).to.deep.equal([
      {
        command: 0,
        type: 'command_alias',
        message:
          "Output 'out_2' is declared, but the command does not write it; write {{out_2}} as an output or remove it",
        token: null,
        position: null,
      },
    ])
    const chain = ['-i {{in_1}} {{out_1}}', '-i {{out_1}} -f null -']
    expect(errorsOf(chain, outputs)[0]?.command).to.equal(null)
    expect(refusalOf('-i {{in_1}}')).to.equal('command_alias null')
  })

  it('accepts unused declared inputs, and does not require them', () => {
    expect(planOf('-f lavfi -i testsrc {{out_1}}').usedInputs).to.deep.equal([])
  })

  it('requires every input when one of them is a list of files', () => {
    const plan = planOf('-f concat -safe 0 -i {{in_1}} -c copy {{out_1}}')
    expect(plan.usedInputs).to.deep.equal(['in_1', 'in_2'])
  })

  it('accepts no aliases beside a zip, and none beside OUTPUT_FOLDER', () => {
    expect(errorsOf('-i {{in_1}} out.mp4', folders)[0]?.message).to.contain('by their names in it')
    expect(errorsOf('-i a.mp4 {{out_1}}', folders)[0]?.message).to.contain('names of your choice')
    expect(refusalOf('-i a.mp4 b.mp4', folders)).to.equal('accepted')
  })

  it('plans the variants of a master playlist into its folder', () => {
    const outputs = { outputs: { out_playlist_1: 'm.m3u8' } }
    const command = (output: string): string =>
      `-i {{in_1}} -f hls -master_pl_name {{out_playlist_1}} ${output}`
    const plan = planOf(command('v%v/part.m3u8'), outputs)
    expect(plan.steps[0]?.writes).to.deep.equal(['out_playlist_1'])
    expect(plan.steps[0]?.folders).to.deep.equal(['out_playlist_1'])
    expect(plan.outputs).to.deep.equal([
      {
        alias: 'out_playlist_1',
        name: 'm.m3u8',
        path: 'out_playlist_1/m.m3u8',
        folder: 'out_playlist_1',
        step: 0,
      },
    ])
    expect(refusalOf(command('part.m3u8'), outputs)).to.equal('accepted')
    expect(refusalOf(command('/v%v/a.m3u8'), outputs)).to.equal('command_forbidden /v%v/a.m3u8')
    expect(refusalOf(command('{{out_playlist_1}}'), outputs)).to.contain('command_alias')
  })

  it('limits inputs and outputs to 200 each', () => {
    const inputs = (count: number): string => `${'-i {{in_1}} '.repeat(count)}{{out_1}}`
    expect(refusalOf(inputs(200))).to.equal('accepted')
    expect(refusalOf(inputs(201))).to.equal('command_syntax {{in_1}}')
  })

  describe('of a chain', () => {
    const outputs = { outputs: { out_1: 'a.mp4', out_2: 'b.mp4', out_3: 'c.mp4' } }

    it('lets later steps read what earlier ones write', () => {
      const plan = planOf(
        ['-i {{in_1}} {{out_1}}', '-i {{in_2}} {{out_2}}', '-i {{out_1}} -i {{out_2}} {{out_3}}'],
        outputs,
      )
      expect(plan.steps.map(({ dependsOn }) => dependsOn)).to.deep.equal([[], [], [0, 1]])
      expect(plan.outputs.map(({ step }) => step)).to.deep.equal([0, 1, 2])
    })

    it('lets later steps read by name what earlier ones may have named', () => {
      const chain = [
        '-i {{in_1}} -vf palettegen p.png',
        '-i {{in_1}} -i p.png -lavfi paletteuse a.gif',
      ]
      const named = {
        inputAliases: ['in_1'],
        outputs: 'OUTPUT_FOLDER',
        inputFolder: false,
      } as const
      expect(planOf(chain, named).steps[1]?.dependsOn).to.deep.equal([0])
      expect(errorsOf(chain.toReversed(), named)).to.have.length(1)
      const outside = errorsOf([chain[0] ?? '', '-i ../p.png a.gif'], named)
      expect(outside.map(({ type }) => type)).to.deep.equal(['command_forbidden'])
    })

    it('the plan never lets steps with pass logs or bare names run side by side', () => {
      const plan = planOf(
        [
          '-i {{in_1}} -c:v libx264 -pass 1 -f null -',
          '-i {{in_2}} {{out_1}}',
          '-i {{in_1}} -c:v libx264 -pass 2 {{out_2}}',
          '-i {{in_1}} -vf vidstabtransform {{out_3}}',
        ],
        outputs,
      )
      expect(plan.steps.map(({ dependsOn }) => dependsOn)).to.deep.equal([[], [], [0], [0, 2]])
    })

    it('makes a step that reads a list of files wait for all earlier ones', () => {
      const plan = planOf(
        ['-i {{in_1}} {{out_1}}', '-i {{in_1}} {{out_2}}', '-f concat -i {{in_2}} {{out_3}}'],
        outputs,
      )
      expect(plan.steps[2]?.dependsOn).to.deep.equal([0, 1])
    })

    it('makes a step wait for an output that it names without its alias', () => {
      const named = (commands: string[]) =>
        planOf(commands, {
          inputFolder: true,
          outputs: { out_1: 'a.mp4', out_playlist_1: 'p.m3u8', out_3: 'c.mp4' },
        }).steps.map(({ dependsOn }) => dependsOn)
      const lavfi = '-f lavfi -i testsrc'
      expect(
        named([`${lavfi} {{out_1}}`, `${lavfi} {{out_playlist_1}}`, '-i a.mp4 {{out_3}}']),
      ).to.deep.equal([[], [], [0]])
      expect(
        named([
          `${lavfi} {{out_1}}`,
          `${lavfi} {{out_playlist_1}}`,
          '-i out_playlist_1/p0.ts {{out_3}}',
        ]),
      ).to.deep.equal([[], [], [1]])
      expect(
        named(['-i c.mp4 {{out_1}}', `${lavfi} {{out_playlist_1}}`, `${lavfi} {{out_3}}`]),
        'the archive may hold a file of that name',
      ).to.deep.equal([[], [], [0]])
    })

    it('reports an alias that is read too early or written twice, in every command', () => {
      const errors = errorsOf(
        ['-i {{out_2}} {{out_1}}', '-i {{in_1}} {{out_1}}', '-i {{in_1}} -progress x {{out_3}}'],
        outputs,
      )
      expect(errors.map(({ command, type, token }) => [command, type, token])).to.deep.equal([
        [0, 'command_alias', '{{out_2}}'],
        [1, 'command_alias', '{{out_1}}'],
        [2, 'command_forbidden', '-progress'],
      ])
      expect(errors[0]?.message).to.equal(
        "Alias 'out_2' in '{{out_2}}' at character 4 is read before a command writes it",
      )
    })

    it('the plan does not blame a later command for a mistake in an earlier one', () => {
      const errors = errorsOf(
        ['-i {{in_1}} -report <<out_1>>', '-i {{out_1}} {{out_2}} {{out_3}}'],
        outputs,
      )
      expect(errors.map(({ command }) => command)).to.deep.equal([0])
      const early = errorsOf(['-i {{out_1}} {{out_2}}', '-i {{in_1}} {{out_1}}'], outputs)
      expect(early.map(({ command }) => command)).to.deep.equal([0])
    })
  })

  it('planCommands never throws, and every position points at its token', () => {
    const word = fc.oneof(
      fc.constantFrom('-i', '-f', '-vf', 'lavfi', 'tee', '-c:v', '{{in_1}}', '{{out_1}}', '😀'),
      fc.constantFrom('-progress', 'movie=a.png', "select='gt(n,1)'", '[f=hls]{{out_1}}|b', '"'),
      fc.string({ unit: fc.constantFrom(...Array.from('a=:,;[]\\\'"/.-{}<>|é')) }),
    )
    const command = fc.array(word).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(command, { maxLength: 3 }), fc.boolean(), (commands, inputFolder) => {
        const result = planCommands({
          commands,
          inputAliases: ['in_1'],
          outputs: inputFolder ? 'OUTPUT_FOLDER' : { out_1: 'a.mp4' },
          inputFolder,
          chained: commands.length > 1,
        })
        if (result.ok) return
        for (const { command: index, token, position, message } of result.errors) {
          expect(message.length).to.be.greaterThan(10)
          if (token === null || position === null || index === null) continue
          const rest = [...(commands[index] ?? '')].slice(position - 1).join('')
          expect(rest.startsWith(token)).to.equal(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
