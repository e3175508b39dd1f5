import { commandNames, optionsOf, secondWordsOf } from '../terminal/help.ts'
import { exactly, parsed, UsageError } from '../terminal/parse.ts'
import type { Shell } from '../terminal/shell.ts'

/** A script that a shell loads to complete names of commands and options. */
export async function completion(args: string[], shell: Shell): Promise<number> {
  const { SHELL: name } = exactly(parsed(args, {}).positionals, 'SHELL')
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  if (script === undefined) {
    throw new UsageError(`completion takes ${Object.keys(scripts).join(', ')}, not '${name}'`)
  }
  shell.write(script())
  return 0
}

const scripts: Readonly<Record<string, () => string>> = {
  bash,
  // zsh has bash's way of completion as a module.
  zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${bash()}`,
  fish,
}

function bash(): string {
  const cases = commandNames.map(
    (name) =>
      `    ${name}) words='${optionsOf(name).join(' ')}' second='${secondWordsOf(name).join(' ')}' ;;`,
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
    words='${commandNames.join(' ')}'
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

function fish(): string {
  const lines = commandNames.flatMap((name) => [
    `complete -c cloud-ffmpeg -n __fish_use_subcommand -f -a ${name}`,
    ...secondWordsOf(name).map(
      (word) => `complete -c cloud-ffmpeg -n '__fish_seen_subcommand_from ${name}' -f -a ${word}`,
    ),
    ...optionsOf(name)
      .filter((option) => option.startsWith('--'))
      .map(
        (option) =>
          `complete -c cloud-ffmpeg -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
      ),
  ])
  return `${lines.join('\n')}\n`
}
