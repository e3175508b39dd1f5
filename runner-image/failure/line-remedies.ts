import { substituteEncoder } from '../../common/command-line/remedies/missing-parts.ts'
import { isInVariableFolder } from '../../common/command-line/remedies/variable-folder.ts'

/**
 * Adds what to do, once, to lines of FFmpeg that name no way out here, or one that the service does not have.
 * @param lines of FFmpeg's log, with places in the command
 * @param command as sent; empty = unknown
 */
export function withRemedies(lines: readonly string[], command: string): string[] {
  const given = new Set<string>()
  const severalPictures = lines.some((line) => oneName.test(line))
  return lines
    .filter((line) => !(severalPictures && patternAdvice.test(line)))
    .map((line) => {
      const text = line.replace(oneName, '$1')
      const remedy = remedies.map((remedyFor) => remedyFor(text, command)).find(isKnown)
      if (remedy === undefined || given.has(remedy)) return text
      given.add(remedy)
      return `${text}; ${remedy}`
    })
}

/** FFmpeg's advice is a pattern, which a declared output cannot be. */
const patternAdvice = /Use a pattern such as %03d for an image sequence/
const oneName =
  /(Cannot write more than one file with the same name)\. Are you missing the -update option or a sequence pattern\?$/

type RemedyFor = (line: string, command: string) => string | null

const remedies: readonly RemedyFor[] = [
  (line) =>
    line.endsWith('Cannot write more than one file with the same name')
      ? 'write -frames:v 1 in front of the output for one picture, -update 1 for the last; for all of them a single command with output_files "OUTPUT_FOLDER" and a name such as t_%03d.jpg'
      : null,
  (line) => {
    const encoder = /Unknown encoder '([^']+)'/.exec(line)?.[1]
    const substitute = encoder === undefined ? null : substituteEncoder(encoder)
    return substitute === null ? null : `use ${substitute}`
  },
  (line) => containerRemedy(/\[(\w+)\] Could not find tag for codec (\w+) in stream/.exec(line)),
  (line, command) =>
    /^\[(?:out#\d+\/)?dash\].*: No such file or directory$/.test(line) &&
    command.split(/[\s'"]+/).some(isInVariableFolder)
      ? 'FFmpeg makes no folders of $RepresentationID$ and the like: write a bare name, as r$RepresentationID$_$Number$.m4s'
      : null,
]

/** H.264 has a tag in files of MP4's family; only as the video of a cover it has none. */
function containerRemedy(found: RegExpExecArray | null): string | null {
  const [, container = '', codec = ''] = found ?? []
  if (found === null || codec === 'none') return null
  if (/^(?:mp4|ipod|mov)$/.test(container) && codec === 'h264') {
    return 'the picture of a cover is not a video here: -vn leaves it out, -c:v copy keeps it'
  }
  return /^(?:subrip|ass|ssa|webvtt|text)$/.test(codec)
    ? 'write -c:s mov_text for these subtitles, or -sn to leave them out'
    : 'encode the stream in place of copying it, as by -c:a aac, or write to .mkv'
}

function isKnown(remedy: string | null): remedy is string {
  return remedy !== null
}
