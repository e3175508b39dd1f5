/**
 * The last line of a followed log that ends before its command, after the last line of FFmpeg. The connection
 * is then closed without the end of the body, as for every incomplete log: the client of this
 * repository reconnects and leaves the line out, and curl reports an incomplete transfer.
 */
export const logAgeLine =
  '==> this connection has followed the log for an hour and ends here; request it again to go on <==\n'

/**
 * Splits a text into what can be shown and what may be the beginning of the line, of which the rest
 * may follow in the next chunk.
 * @returns `held`: the longest end of the text that is a beginning of the line
 */
export function splitAgeLine(text: string): { readonly shown: string; readonly held: string } {
  const longest = Math.min(text.length, logAgeLine.length)
  for (let length = longest; length > 0; length -= 1) {
    if (text.endsWith(logAgeLine.slice(0, length))) {
      return { shown: text.slice(0, -length), held: text.slice(-length) }
    }
  }
  return { shown: text, held: '' }
}
