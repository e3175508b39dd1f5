import type { Refusal } from '../model/refusal.ts'
import type { Token } from './tokens.ts'

/** The words of a command without the redirections at its end, and what these say. */
export type Redirected = {
  tokens: readonly Token[]
  /** The file that gets FFmpeg's log, as `2> {{out_1}}` names it, and the operator's place. */
  log: { file: Token; operator: Token } | null
  refusal: Refusal | null
}

/** One redirection: `2>`, `&>`, `<`, and the word behind it. */
type Redirection = {
  /** `&` stands for both outputs. */
  from: '0' | '1' | '2' | '&'
  /** `nowhere`: /dev/null, or NUL of Windows. */
  to: 'nowhere' | '1' | '2' | Token
  first: Token
}

/**
 * Takes redirections from the end of a command. FFmpeg writes its log to descriptor 2 and what `-` names
 * to descriptor 1; a shell applies redirections from left to right, and so does this. `- > {{out_1}}` is
 * `{{out_1}}`, and `2> {{out_1}}` names the file of the log. The log itself is kept in any case, so that
 * one that goes nowhere, or the terminal's way, changes nothing.
 */
export function withoutRedirections(all: readonly Token[], source: string): Redirected {
  const { tokens, redirections } = split(all, source)
  let standardOutput: Redirection['to'] | null = null
  let log: Redirection['to'] | null = null
  let early: Redirection | null = null
  for (const redirection of redirections) {
    const { from, to } = redirection
    if (from === '1' && isFile(to) && early !== null) return refusing(all, early, earlyDuplicate)
    if (from === '2' && to === '1' && standardOutput === null) early = redirection
    const target: Redirection['to'] | null = to === '1' ? standardOutput : to === '2' ? log : to
    if (from === '1' || from === '&') standardOutput = target
    if (from === '2' || from === '&') log = target
  }
  const file = redirections.findLast(({ to }) => isFile(to) && to === log)
  const stored = isFile(log) && file !== undefined ? { file: log, operator: file.first } : null
  const isBoth = log === standardOutput
  const taken = { tokens, log: stored, refusal: null }
  if (!isFile(standardOutput)) return taken
  if (writesToStandardOutput(tokens, source)) {
    // A result with the log in it would be neither: the result has the file to itself.
    const result = [...tokens.slice(0, -1), standardOutput]
    return { ...taken, tokens: result, log: isBoth ? null : stored }
  }
  const empty = redirections.find(({ to }) => to === standardOutput)
  return isBoth || empty === undefined ? taken : refusing(all, empty, nothing)
}

function split(
  all: readonly Token[],
  source: string,
): { tokens: readonly Token[]; redirections: readonly Redirection[] } {
  const redirections: Redirection[] = []
  let tokens = all
  for (;;) {
    const found = lastRedirection(tokens, source)
    if (found === null) return { tokens, redirections }
    redirections.unshift(found)
    tokens = tokens.slice(0, tokens.indexOf(found.first))
  }
}

/** `2>&1`, `2>{{out_1}}`, `2> {{out_1}}`. `<` alone could begin a placeholder: `<<in_1>>`. */
const operator = /^([12]?|&)(>\||>>?|<(?!<))(&?)/

function lastRedirection(tokens: readonly Token[], source: string): Redirection | null {
  const [before, last] = [tokens.at(-2), tokens.at(-1)]
  if (last === undefined) return null
  for (const first of [last, before]) {
    if (first === undefined) continue
    const word = source.slice(first.from, first.to)
    const [written, descriptor = '', arrow = '', duplicate = ''] = operator.exec(word) ?? []
    if (written === undefined) continue
    // One word holds both, or the operator is a word of its own.
    if (written.length < word.length !== (first === last)) continue
    const target = first === last ? behind(last, written.length) : last
    const to = targetOf(source.slice(target.from, target.to), duplicate === '&', target)
    const isInput = arrow === '<'
    if (to === null || (isInput && to !== 'nowhere')) return null
    // `>& file` is bash's older `&> file`.
    const isBoth = descriptor === '&' || (duplicate === '&' && isFile(to))
    const given = isInput ? '0' : descriptor === '2' ? '2' : '1'
    return { from: isBoth ? '&' : given, to, first }
  }
  return null
}

function targetOf(word: string, isDuplicate: boolean, token: Token): Redirection['to'] | null {
  if (/^(?:\/dev\/null|nul:?)$/i.test(word)) return 'nowhere'
  if (isDuplicate && (word === '1' || word === '2')) return word
  if (isDuplicate && /^\d*-?$/.test(word)) return null
  // A name of a file, or an alias in any of its spellings; never another operator.
  return /^["'\\\w./{]|^<<\w/.test(word) ? token : null
}

function behind(token: Token, length: number): Token {
  const from = token.from + length
  return { ...token, from, pieces: token.pieces.filter((piece) => piece.from >= from) }
}

function isFile(to: Redirection['to'] | null): to is Token {
  return typeof to === 'object' && to !== null
}

/** The output is `-`, and its format is one that writes bytes. */
function writesToStandardOutput(tokens: readonly Token[], source: string): boolean {
  const words = tokens.map(({ from, to }) => source.slice(from, to))
  const format = words.lastIndexOf('-f')
  const isNull = format !== -1 && words[format + 1] === 'null'
  return /^(?:-|pipe:1?)$/.test(words.at(-1) ?? '') && !isNull
}

function refusing(
  tokens: readonly Token[],
  { first: range }: Redirection,
  sentence: Refusal['sentence'],
): Redirected {
  return { tokens, log: null, refusal: { type: 'command_syntax', range, sentence } }
}

function earlyDuplicate(place: string): string {
  return `${place} stands in front of the '>' that it is to follow, so a shell would not store FFmpeg's log; write 2> {{out_1}} for the log, or '> {{out_1}} 2>&1' for both`
}

function nothing(place: string): string {
  return `${place} stores FFmpeg's standard output, to which the command writes nothing; write 2> {{out_1}} for its log, or file={{out_1}} in a filter that prints`
}
