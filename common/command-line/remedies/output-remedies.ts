import { escapedForHtml, entityIn } from './escaped-text.ts'

/** A URL of any scheme; a lone `name:` may as well be a word of a text. */
const url = /^[a-z][a-z0-9+.-]*:\/\//i
/** Prefix that FFmpeg takes for a protocol on purpose. */
const protocol =
  /^(?:async|cache|concatf?|crypto|data|fd|file|ftps?|hls|https?|icecast|md5|mmsh|mmst|pipe|prompeg|rtmp\w*|rtp|rtsp|s3|sctp|sftp|smb|srtp?|subfile|tcp|tee|tls|udp\w*|unix|zmq)[:,]/i

/** Remedy for a word that a text without quotes goes on with. */
export const quotesRemedy = 'put quotes around the value that it belongs to'

const declared = 'declare one in output_files and write its alias, as {{out_1}}'

/** Why nothing is written to what FFmpeg would take for a URL or a protocol, as the rest of a sentence. */
export function protocolOutputProblem(path: string): string {
  if (url.test(path)) {
    return `is a URL, and FFmpeg sends nothing to other servers here: outputs are stored; ${declared}`
  }
  return protocol.test(path)
    ? `names a protocol, and outputs are stored here; ${declared}`
    : `stands where FFmpeg expects an output, and the name of one has no ':' here; ${quotesRemedy}`
}

/**
 * Replacement of a placeholder with something around it, as the end of a sentence.
 * @param text with placeholders in their canonical form
 */
export function placeholderRemedy(
  text: string,
  { outputFolder, chained }: { outputFolder: boolean; chained: boolean },
): string {
  const entity = entityIn(text)
  if (entity !== null) return `; it ${escapedForHtml(entity)}`
  const [, name] = /^\{\{\w+\}\}[/\\]+(?:\.[/\\])*([^{}]+)$/.exec(text) ?? []
  if (name === undefined) return ''
  if (chained) {
    return `; a chain has no OUTPUT_FOLDER: declare the file in output_files, or write the bare name '${name}' of a pattern for later commands`
  }
  const declare = outputFolder ? '' : ' and set output_files to "OUTPUT_FOLDER"'
  return `; write the bare name '${name}'${declare}`
}

/** @param playlist alias of a playlist */
export function playableRemedy(playlist: string): string {
  return `for a playlist with a URL write -f hls in front of {{${playlist}}} as the output, and the pattern of its segments behind -hls_segment_filename`
}
