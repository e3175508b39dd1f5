import type { Refusal } from '../model/refusal.ts'

const prompt = /^(?:\$|%|>|#|PS.*>)$/
/** Beginning of a line of a script that is not FFmpeg's. */
const otherStart =
  /^(?:sudo|time|nice|nohup|exec|env|wine|docker|podman|for|while|if|then|do|cat|cd|echo|mkdir|curl|wget|yt-dlp|npx|bash|sh|cmd|start|set|export|[A-Za-z_]\w*=.*)$/s
const otherProgram = /(?:^|\/)(?:ffprobe|ffplay)(?:\.exe)?$/
/** Quotes of Markdown, with the name of a language behind them, before whichever the command begins. */
const fence = /^(?:```\w*|`(?:ffmpeg|-\w).*|`$)/
/** One word, as sent: `"ffmpeg -i {{in_1}} {{out_1}}"`. */
const quotedWhole = /^["'](?:ffmpeg\s|-\w+\s)/
/** Source code of a program: `["-i", …`, `subprocess.run([…`, `"ffmpeg_command": …`. */
const code = /^(?:\[["']|\{(?!\{)|[A-Za-z_][\w.]*\(["'[]|["']\w+["']:$)/
/** `!ffmpeg`, `**ffmpeg`, `=ffmpeg`, `C:\bin>ffmpeg`. */
const stuck = /^(?:[!*=>@:_~-]+|[^"'`]*>)(?=ffmpeg(?:\.exe)?$)/i
/** How many words a prompt or a label has: `user@host:~ $ ffmpeg`, `@echo off`. */
const labelLimit = 3

/** Mistake in front of a command, where it was copied from. @param words as sent */
export function mistakeAtStart(words: readonly string[]): Refusal['sentence'] | null {
  const [text = '', next = ''] = words
  if (otherProgram.test(text)) {
    return (place) =>
      `Only ffmpeg can be run, not ${place}; POST /v1/files/store-file analyses a file`
  }
  const isProgram = next.startsWith('-') && /^[a-z]+$/i.test(text) && !isProgramName(text)
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
  if (code.test(text)) {
    return (place) => `${place} is of a program's source; send the text of the command alone`
  }
  if (text === '#') {
    return (place) => `${place} is a prompt of a terminal or begins a comment; remove it`
  }
  if (prompt.test(text)) return (place) => `${place} is the prompt of a terminal; remove it`
  if (text === '&') return (place) => `${place} calls a program in PowerShell; remove it`
  if (isProgramName(text)) return null
  const isLabelled = words.slice(1, labelLimit + 1).some(isProgramAlone)
  if (stuck.test(text) || (isLabelled && !/^-\w/.test(text))) {
    return (place) => `A command begins with ffmpeg or its first option, not with ${place}`
  }
  return null
}

const program =
  /^["']?(?:(?:[^"']*[/\\])?(?:ffmpeg[-.\w]*|avconv)|\$\{?\w*ffmpeg(?:_?(?:path|bin|binary|cmd|exe))?\}?|%\w*ffmpeg\w*%)(?:\.exe)?["']?$/i

/** Not anchored at the start: `.*` in front of a slash took a twentieth of the processor time of a submission. */
const bareProgram = /(?:^|[/\\])ffmpeg(?:\.exe)?$/i

/** PATH_MAX; longer words would keep the patterns busy for seconds. */
const longestName = 4096

/** True if the text can only mean the program: `ffmpeg-7.mp4` may be a file. */
export function isProgramAlone(text: string): boolean {
  return text.length < longestName && bareProgram.test(text)
}

/**
 * True for the program name that people put in front, with or without its folder, of Windows too,
 * with a version, or as the variable that holds it in their script.
 * @param written as sent, with its quotes
 */
export function isProgramName(written: string): boolean {
  return written.length < longestName && program.test(written)
}
