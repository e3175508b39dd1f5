import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { CommandErrorType, CommandSubmission } from '../../common/command-line/model/plan.ts'

/** A command as a cheat sheet has it, with placeholders in place of its files. */
export interface CorpusCommand {
  /** `theme: title` */
  readonly name: string
  readonly theme: string
  /** Names of samples, `in_1` first; null when a zip of samples is unpacked instead. */
  readonly samples: readonly string[] | null
  readonly submission: CommandSubmission
  readonly expectation: Expectation
}

export type Expectation =
  /**
   * `shell`: the same command for a shell, if a shell cannot read the published one.
   * `lengthsVary`: FFmpeg's own threads race for the end, and no two runs are equally long.
   * `log`: what both logs say.
   */
  | {
      readonly kind: 'same'
      readonly shell: string | null
      readonly lengthsVary: boolean
      readonly log: readonly string[]
    }
  /** FFmpeg itself fails, and its log says so in these words. */
  | { readonly kind: 'fails'; readonly words: string }
  /** The service does not take it; its message has all of these words. */
  | { readonly kind: 'refused'; readonly type: CommandErrorType; readonly words: readonly string[] }

/**
 * Reads every `*.txt` of the folder. Entries are separated by empty lines: a line
 * `== title (samples -> outputs)`, lines `! expectation`, then the text of the command, which can have
 * several lines; `---` between the commands of a chain.
 * @throws Error that names file and entry
 */
export async function readCorpus(folder: string): Promise<CorpusCommand[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.txt')).toSorted()
  const themes = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(folder, file), 'utf8')
      return text
        .split(/\n{2,}/)
        .filter((entry) => entry.trim() !== '')
        .map((entry) => readEntry(path.basename(file, '.txt'), entry.trim()))
    }),
  )
  return themes.flat()
}

function readEntry(theme: string, entry: string): CorpusCommand {
  const [heading = '', ...lines] = entry.split('\n')
  const [, title, before, after] = /^== (.+) \((.+) -> (.+)\)$/.exec(heading) ?? []
  if (title === undefined || before === undefined || after === undefined) {
    throw new Error(`${theme}: '${heading}' must be '== title (samples -> outputs)'`)
  }
  const marks = lines.filter((line) => line.startsWith('! ')).map((line) => line.slice(2))
  const samples = before === 'zip' ? null : before === 'nothing' ? [] : before.split(' ')
  const commands = lines.slice(marks.length).join('\n').split('\n---\n')
  return {
    name: `${theme}: ${title}`,
    theme,
    samples,
    submission: {
      commands,
      inputAliases: (samples ?? []).map((_, index) => `in_${String(index + 1)}`),
      outputs: after === 'OUTPUT_FOLDER' ? after : outputsNamed(after.split(' ')),
      inputFolder: samples === null,
      chained: commands.length > 1,
    },
    expectation: readExpectation(marks),
  }
}

function outputsNamed(names: readonly string[]): Record<string, string> {
  const isPlaylist = (name: string): boolean => /\.(?:m3u8|mpd)$/.test(name)
  const plain = names.filter((name) => !isPlaylist(name))
  const playlists = names.filter(isPlaylist)
  const entries: [string, string][] = [
    ...plain.map((name, at): [string, string] => [`out_${String(at + 1)}`, name]),
    ...playlists.map((name, at): [string, string] => [`out_playlist_${String(at + 1)}`, name]),
  ]
  return Object.fromEntries(entries)
}

function readExpectation(marks: readonly string[]): Expectation {
  let shell: string | null = null
  let lengthsVary = false
  const log: string[] = []
  for (const mark of marks) {
    const fails = /^fails: (.+)$/.exec(mark)?.[1]
    if (fails !== undefined) return { kind: 'fails', words: fails }
    const [, type, words = ''] = /^refused (\w+): (.+)$/.exec(mark) ?? []
    if (type === 'command_syntax' || type === 'command_alias' || type === 'command_forbidden') {
      return { kind: 'refused', type, words: words.split(' … ') }
    }
    const forShell = /^in a shell: (.+)$/.exec(mark)?.[1]
    const logged = /^in the log: (.+)$/.exec(mark)?.[1]
    if (forShell !== undefined) shell = forShell
    else if (logged !== undefined) log.push(logged)
    else if (mark === 'lengths vary') lengthsVary = true
    else throw new Error(`'! ${mark}' is not an expectation`)
  }
  return { kind: 'same', shell, lengthsVary, log }
}
