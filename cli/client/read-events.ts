/**
 * The data of each event of this name of a stream (HTML standard, section 9.2, server-sent events). Ignores
 * comments, which keep the connection alive.
 */
export async function* readEvents(
  chunks: AsyncIterable<string>,
  wanted: 'status' | 'command',
): AsyncGenerator<string> {
  let data: string[] = []
  let name: string = wanted
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      // After `error` the server ends the stream, and the next request gets the reason as its answer.
      if (data.length > 0 && name === wanted) yield data.join('\n')
      data = []
      name = wanted
    } else if (line.startsWith('event:')) {
      name = line.slice('event:'.length).trim()
    } else if (line.startsWith('data:')) {
      data.push(line.slice('data:'.length).replace(/^ /, ''))
    }
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    // A carriage return at the end may be the first half of CRLF.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}
