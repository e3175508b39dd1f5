import { charactersIn } from '../../common/command-line/model/refusal.ts'

/**
 * Position in the command as sent of the text that FFmpeg's error names.
 * @param line of FFmpeg's log
 * @returns 1-based, in Unicode characters; null if the line names nothing of the command, or
 *   something that stands in it more than once
 */
export function placeInCommand(line: string, command: string): number | null {
  for (const { pattern, spelled } of complaints) {
    const found = pattern.exec(line)
    if (found === null) continue
    const [, first = '', second = ''] = found
    const place = onlyPlace(command, spelled(first, second))
    if (place !== null) return place
  }
  return null
}

interface Complaint {
  readonly pattern: RegExp
  /** How the two groups of the pattern are written in a command: its group is the place. */
  readonly spelled: (first: string, second: string) => RegExp
}

const complaints: readonly Complaint[] = [
  {
    pattern: /^Unrecognized option '([^']+)'/,
    spelled: (name) => new RegExp(`${begin}(-{1,2}${escaped(name)})${end}`, 'gu'),
  },
  {
    pattern: /^Invalid (?:duration|time) for option (\S+): (.+)$/,
    spelled: (name, value) => option(name, value),
  },
  {
    pattern: /^Failed to set value '(.*)' for option '([^']+)'/,
    spelled: (value, name) => option(name, value),
  },
  {
    pattern: /Error setting option (\S+) to value (.+)\.$/,
    spelled: (name, value) => option(name, value),
  },
  {
    pattern: /Error setting option (\S+) to value (.+)\.$/,
    spelled: (name, value) =>
      new RegExp(`[:=\\s'"](${escaped(name)}=${escaped(value)})${wordEnd}`, 'gu'),
  },
  {
    pattern: /Error applying option '([^']+)' to filter /,
    spelled: (name) => new RegExp(`[:=](${escaped(name)})=`, 'gu'),
  },
  {
    pattern:
      /(?:Unknown (?:en|de)coder|No such filter:|Unknown input format:|Requested output format|bitstream filter sequence|Output with label|Undefined constant or missing '\(' in) '([^']+)'/,
    spelled: word,
  },
  {
    pattern:
      /(?:Invalid (?:aspect ratio|frame size|framerate value)|Unknown pixel format requested|Invalid size|Unable to parse option value): ?["']?([^"']+?)["']?\.?$/,
    spelled: word,
  },
  {
    pattern: /Invalid (?:input file index: (\d+)|file index (\d+) in filtergraph)/,
    spelled: (mapped, linked) =>
      mapped === ''
        ? new RegExp(`(\\[${linked}:)`, 'gu')
        : new RegExp(`-map[ \\t]+["']?-?(${mapped})\\b`, 'gu'),
  },
]

const begin = String.raw`(?<![^\s"'])`
const end = String.raw`(?![^\s"':])`
const wordEnd = String.raw`(?![\w.-])`

/** `-crf abc`, `-b:v 'abc'`: the place is that of the option. */
function option(name: string, value: string): RegExp {
  return new RegExp(
    `${begin}(-${escaped(name)}(?::\\S+)?)["']?\\s+["']?${escaped(value)}(?![^\\s"'])`,
    'gu',
  )
}

function word(text: string): RegExp {
  return new RegExp(`(?<![\\w.-])(${escaped(text)})${wordEnd}`, 'gu')
}

function onlyPlace(command: string, spelled: RegExp): number | null {
  const [only, ...others] = [...command.matchAll(spelled)]
  if (only === undefined || others.length > 0) return null
  const before = only[0].indexOf(only[1] ?? '')
  return charactersIn(command.slice(0, only.index + before)) + 1
}

function escaped(text: string): string {
  return RegExp.escape(text)
}
