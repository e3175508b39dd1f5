import type { Refusal } from './refusal.ts'
import type { Token } from './tokens.ts'

const operator = /^(?:\|\|?|\|&|&&?|;;?|(?:\d*|&)(?:>[>&|]?|<).*)$/s
const typographic = /^[\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb\u00a0]/
/** Of web pages, where it was to separate words; within a text it is as good as any character. */
const oddSpace = /^(?:-|\\?\{)[^'"]*[\u00a0\u2007\u202f\u200b\u2060\ufeff]/
const longDash = /^[\u2010-\u2015\u2212]/
const substitution = /^(?:\$\(|`)/
const prompt = /^(?:\$|%|>|#|PS.*>)$/
const program =
  /^["']?(?:(?:[^"']*[/\\])?(?:ffmpeg[-.\w]*|avconv)|\$\{?\w*ffmpeg(?:_?(?:path|bin|binary|cmd|exe))?\}?)(?:\.exe)?["']?$/i
/** What begins a line of a script that is not FFmpeg's. */
const otherStart =
  /^(?:sudo|time|nice|nohup|exec|env|wine|docker|podman|for|while|if|cat|cd|echo|mkdir|curl|wget|yt-dlp|npx|bash|sh|cmd|start|set|export|[A-Za-z_]\w*=.*)$/s
/** Quotes of Markdown, with the name of a language behind them, before whichever the command begins. */
const fence = /^(?:```\w*|`ffmpeg|`$)/
/** One word, as sent: `"ffmpeg -i {{in_1}} {{out_1}}"`. */
const quotedWhole = /^["'](?:ffmpeg\s|-\w+\s)/
const annotation = /^\\[ \t]+#/
const ellipsis = /^(?:\.{3}|\u2026)$/
const foreignContinuation = /^[`^][ \t]*\r?\n/
const otherProgram = /(?:^|\/)(?:ffprobe|ffplay)(?:\.exe)?$/

/** What people paste from a terminal or a word processor and FFmpeg could only misread. */
export function shellMistakes(tokens: readonly Token[], source: string): Refusal[] {
  return tokens.flatMap((token, index) => {
    const text = written(token, source)
    const sentence =
      (index === 0 ? mistakeAtStart(text, tokens[1], source) : null) ??
      (foreignContinuation.test(source.slice(token.from)) ? continuedAbroad : null) ??
      (annotation.test(source.slice(token.from)) ? annotated : null) ??
      mistakeIn(token, text)
    return sentence === null ? [] : [{ type: 'command_syntax' as const, range: token, sentence }]
  })
}

/**
 * True for the program name that people put in front, with or without its folder, of Windows too,
 * with a version, or as the variable that holds it in their script.
 */
export function isProgramName(token: Token, source: string): boolean {
  return program.test(written(token, source))
}

/** As sent, but a line that goes on within a word or right behind it does not show. */
function written({ from, to }: Token, source: string): string {
  return source.slice(from, to).replace(/\\\r?\n/g, '')
}

function mistakeAtStart(
  text: string,
  next: Token | undefined,
  source: string,
): Refusal['sentence'] | null {
  if (otherProgram.test(text)) return wrongProgram
  const beforeOption = next !== undefined && source.startsWith('-', next.from)
  const isProgram = beforeOption && /^[a-z]+$/i.test(text) && !program.test(text)
  if (isProgram || otherStart.test(text)) {
    return (place) => `Only ffmpeg can be run, not ${place}; begin with ffmpeg or its first option`
  }
  if (fence.test(text)) {
    return (place) =>
      `${place} is of Markdown; remove the backticks in front of the command and behind it`
  }
  if (quotedWhole.test(text)) {
    return (place) => `Quotes around the whole command make one word of it: ${place}; remove them`
  }
  if (!prompt.test(text)) return null
  return (place) =>
    text === '#'
      ? `${place} is a prompt of a terminal or begins a comment; remove it`
      : `${place} is the prompt of a terminal; remove it`
}

function mistakeIn(token: Token, text: string): Refusal['sentence'] | null {
  if (typographic.test(text)) {
    return (place) => `${place} begins with a typographic quote or space; replace it by ' or "`
  }
  if (oddSpace.test(text)) {
    return (place) =>
      `${place} holds a space that separates no words, no-break or of no width; type a plain one`
  }
  if (ellipsis.test(text)) {
    return (place) => `${place} is left over from an example; write what belongs there`
  }
  if (longDash.test(text)) {
    return (place) => `${place} begins with a long dash; options begin with the plain dash '-'`
  }
  if (substitution.test(text)) {
    return (place) =>
      `${place} would run another program in a shell, which there is none of; write its result in its place`
  }
  const isPlaceholder = token.pieces.length > 0 && token.pieces[0]?.plain.startsWith('{{') === true
  if (!isPlaceholder && operator.test(text)) {
    const advice = /[<>]/.test(text)
      ? 'remove it and its file; what FFmpeg prints is in the logs'
      : 'quote the filter graph that it belongs to, or send a chain of commands'
    return (place) => `Shell operators are not supported: ${place}; ${advice}`
  }
  return null
}

function wrongProgram(place: string): string {
  return `Only ffmpeg can be run, not ${place}; POST /v1/files/store-file analyses a file`
}

function annotated(place: string): string {
  return `${place} is followed by a comment, of which a command has none; remove it to the line's end`
}

function continuedAbroad(place: string): string {
  return `${place} continues a line in a terminal of Windows; write a backslash there, or all in one line`
}
