import { commands } from '../../cli/commands/all.ts'
import type { CliCommand } from '../../cli/terminal/cli-command.ts'

/** An example of each command of the tool with its summary, and the options of all. */
export function cliPage(): string {
  const all = Object.entries(commands).flatMap(([name, command]) => [
    [name, command] as const,
    ...verbsOf(name, command),
  ])
  const examples = all.flatMap(([, { example, summary }]) =>
    example === undefined ? [] : [`cloud-ffmpeg ${example.padEnd(exampleWidth)} # ${summary}`],
  )
  const namesByOption = Map.groupBy(
    all.flatMap(([name, command]) => optionCells(command).map((cells) => ({ name, cells }))),
    ({ cells }) => cells,
  )
  const rows = Array.from(
    namesByOption,
    ([cells, named]) => `| ${named.map(({ name }) => `\`${name}\``).join(', ')} | ${cells} |`,
  )
  return [
    '```sh no-run: files, addresses and keys are yours',
    ...examples,
    '```',
    '',
    '| command | option | meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
}

const exampleWidth = 36

function verbsOf(name: string, { verbs = {} }: CliCommand): [string, CliCommand][] {
  return Object.entries(verbs).map(([verb, command]) => [`${name} ${verb}`, command])
}

/** `option | meaning`, which commands may share. */
function optionCells({ options = {} }: CliCommand): string[] {
  return Object.entries(options).map(([flags, given]) => {
    const facts = typeof given === 'string' ? { text: given } : given
    const meaning =
      facts.default === undefined ? facts.text : `${facts.text}; ${facts.default} if left out`
    return `\`${flags.replaceAll('|', '\\|')}\` | ${meaning}`
  })
}
