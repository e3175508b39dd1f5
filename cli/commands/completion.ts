import { commandNames, optionsOf } from '../terminal/help.ts'
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
  const cases = commandNames.map((name) => `    ${name}) words='${optionsOf(name).join(' ')}' ;;`)
  return `_cloud_ffmpeg() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=''
  case "\${COMP_CWORD} \${COMP_WORDS[1]}" in
    '1 '*) words='${commandNames.join(' ')}' ;;
  esac
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac; fi
  if [ "$COMP_CWORD" -eq 1 ] || [ "\${current:0:1}" = - ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _cloud_ffmpeg cloud-ffmpeg
`
}

function fish(): string {
  const lines = commandNames.flatMap((name) => [
    `complete -c cloud-ffmpeg -n __fish_use_subcommand -f -a ${name}`,
    ...optionsOf(name)
      .filter((option) => option.startsWith('--'))
      .map(
        (option) =>
          `complete -c cloud-ffmpeg -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
      ),
  ])
  return `${lines.join('\n')}\n`
}
