import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import type { CommandError, CommandSubmission } from '../../common/command-line/model/plan.ts'

export type Adapted = { submission: CommandSubmission; error: CommandError | null }

/**
 * Rewrites an example as a user of the API does, who learns from its answers: files become
 * placeholders, patterns of files move into a zip or OUTPUT_FOLDER, a missing output is added. The
 * error is what cannot be rewritten without changing what the command means.
 */
export function adaptExample(example: string): Adapted {
  let draft: CommandSubmission = {
    commands: [withoutFolders(example)],
    inputAliases: [],
    outputs: {},
    inputFolder: false,
    chained: false,
  }
  while (true) {
    const result = planCommands(draft)
    if (result.ok) return { submission: draft, error: null }
    const error = result.errors[0] ?? null
    const next = error === null ? null : improved(draft, error)
    if (next === null) return { submission: draft, error }
    draft = next
  }
}

/** Local folders mean nothing to a service; dots stand for what is left out. */
function withoutFolders(text: string): string {
  return text
    .replace(/(?<= -i )\.{3}(?= )/g, 'input')
    .replace(/ \.{3,4}(?=\s|$)/g, '')
    .replace(/(^|[\s='"|])(?:\/tmp\/|\.\.\/|\.\/|\/path\/to\/)(?=[\w%])/g, '$1')
    .replace(/<(input|output)>/gi, '$1')
}

function improved(draft: CommandSubmission, error: CommandError): CommandSubmission | null {
  const [text = ''] = draft.commands
  const { message, token, position } = error
  if (message.includes('has no output')) return withOutput(draft, text.length, '', 'out.mkv')
  if (token === null || position === null) return null
  if (token.startsWith('concat:')) return withJoinedInputs(draft, token)
  if (!isFileName(token)) return null
  const at = Array.from(text)
    .slice(0, position - 1)
    .join('').length
  const isPattern = /%|\*/.test(token)
  if (message.includes('is not a declared file')) {
    return isPattern ? { ...draft, inputFolder: true } : withInput(draft, at, token)
  }
  if (message.includes('where FFmpeg expects an output')) {
    return isPattern ? { ...draft, outputs: 'OUTPUT_FOLDER' } : withOutput(draft, at, token, token)
  }
  return null
}

function withInput(draft: CommandSubmission, at: number, token: string): CommandSubmission {
  const alias = `in_${draft.inputAliases.length + 1}`
  const inputAliases = [...draft.inputAliases, alias]
  return { ...draft, inputAliases, commands: [replaced(draft, at, token, alias)] }
}

function withJoinedInputs(draft: CommandSubmission, token: string): CommandSubmission | null {
  const member = /(?<=[:"|])[\w.]+(?=[|"])/.exec(token)
  const at = (draft.commands[0] ?? '').indexOf(token) + (member?.index ?? 0)
  return member === null ? null : withInput(draft, at, member[0])
}

function withOutput(
  draft: CommandSubmission,
  at: number,
  token: string,
  name: string,
): CommandSubmission {
  const outputs = draft.outputs === 'OUTPUT_FOLDER' ? {} : draft.outputs
  const kind = /\.(?:m3u8|mpd)$/.test(name) ? 'out_playlist' : 'out'
  const alias = `${kind}_${Object.keys(outputs).length + 1}`
  const commands = [replaced(draft, at, token, alias)]
  // The manual's OUTPUT stands for any name; its own names all have an extension or a format.
  const fileName = words.has(name) ? `${name}.mkv` : name.replaceAll('/', '-')
  return { ...draft, outputs: { ...outputs, [alias]: fileName }, commands }
}

function replaced(draft: CommandSubmission, at: number, token: string, alias: string): string {
  const [text = ''] = draft.commands
  const before = text.slice(0, at)
  const blank = token === '' ? ' ' : ''
  const after = text.slice(at + token.length)
  return `${before}${blank}{{${alias}}}${after}`
}

const words = new Set(
  `INPUT INPUT1 INPUT2 INPUT3 OUTPUT input output LEFT RIGHT VOCALS MUSIC VIDEO AUDIO IMAGE
  FFMETADATAFILE MAP_FILE infile outfile inurl logo logo1 logo2 LOGO fl fr fc sl sr lfe out myfile pattern CREDITS`
    .trim()
    .split(/\s+/),
)

/** Accepts file names alone, and rejects other texts that FFmpeg would take for a file. */
function isFileName(token: string): boolean {
  const bare = token.replace(/^(['"])(.*)\1$/s, '$2')
  return words.has(bare) || /^[\w%*+-]+(?:[/.-][\w%*+-]+)*\.[A-Za-z0-9]{1,8}$/.test(bare)
}
