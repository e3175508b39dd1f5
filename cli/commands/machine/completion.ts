import { cliCommand } from '../../terminal/cli-command.ts'
import type { Command } from 'commander'

type Script = (commands: readonly Completed[]) => string

const verbOf = (name: string, script: Script) =>
  cliCommand({
    summary: `a script for ${name}`,
    example: `completion ${name}`,
    run(_, shell, { program }) {
      shell.write(script(program.commands.map(completed)))
      return Promise.resolve(0)
    },
  })

/** A script that a shell loads to complete names of commands and options. */
export const completion = cliCommand({
  summary: 'a script for bash, zsh or fish',
  about: `Prints a script that completes names of commands and options.

  bash: source <(cloud-ffmpeg completion bash)
  zsh:  source <(cloud-ffmpeg completion zsh)
  fish: cloud-ffmpeg completion fish | source`,
  verbs: {
    bash: verbOf('bash', bash),
    // zsh has bash's way of completion as a module.
    zsh: verbOf('zsh', (all) => `autoload -U +X bashcompinit && bashcompinit\n${bash(all)}`),
    fish: verbOf('fish', fish),
  },
})

interface Completed {
  readonly name: string
  /** Those of its verbs among them. */
  readonly options: readonly string[]
  readonly verbs: readonly string[]
}

function completed(command: Command): Completed {
  const options = [command, ...command.commands]
    .flatMap((each) => each.options)
    .flatMap(({ short, long }) => [short, long])
    .filter((flag) => flag !== undefined)
  const verbs = command.commands.map((verb) => verb.name())
  return { name: command.name(), options: [...new Set(options)].toSorted(), verbs }
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, options, verbs }) =>
      `    ${name}) words='${options.join(' ')}' second='${verbs.join(' ')}' ;;`,
  )
  // `-P NAME` may come before the command, so words are counted from behind it.
  return `_cloud_ffmpeg() {
  local current=\${COMP_WORDS[COMP_CWORD]} words='' second='' first=1
  case "\${COMP_WORDS[1]}" in -P|--profile) first=3 ;; esac
  if [ "$COMP_CWORD" -lt "$first" ] && [ "$COMP_CWORD" -gt 1 ]; then
    COMPREPLY=()
    return
  fi
  if [ "$COMP_CWORD" -le "$first" ]; then
    words='${commands.map(({ name }) => name).join(' ')}'
  else case "\${COMP_WORDS[first]}" in
${cases.join('\n')}
  esac; fi
  if [ "$COMP_CWORD" -le "$first" ] || [ "\${current:0:1}" = - ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [ "$COMP_CWORD" -eq "$((first + 1))" ]; then
    COMPREPLY=($(compgen -W "$second" -- "$current"))
  fi
}
complete -o default -F _cloud_ffmpeg cloud-ffmpeg
`
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, options, verbs }) => {
    const after = `complete -c cloud-ffmpeg -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c cloud-ffmpeg -n __fish_use_subcommand -f -a ${name}`,
      ...verbs.map((verb) => `${after} -f -a ${verb}`),
      ...options
        .filter((option) => option.startsWith('--'))
        .map((option) => `${after} -l ${option.slice(2)}`),
    ]
  })
  return `${lines.join('\n')}\n`
}
