type Name = 'status' | 'command' | 'file'

/**
 * The events of these names of a stream (HTML standard, section 9.2, server-sent events). Ignores
 * comments, which keep the connection alive.
 */
export async function* readEvents(
  chunks: AsyncIterable<string>,
  usual: Name,
  ...others: readonly Name[]
): AsyncGenerator<{ readonly name: string; readonly data: string }> {
  let data: string[] = []
  let name: string = usual
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      // After `error` the server ends the stream, and the next request gets the reason as its answer.
      if (data.length > 0 && (name === usual || others.some((one) => one === name))) {
        yield { name, data: data.join('\n') }
      }
      data = []
      name = usual
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
