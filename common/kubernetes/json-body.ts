/**
 * The whole of a body as JSON.
 * @throws if the body breaks off or is not JSON; the message never quotes it
 */
export async function readJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return parseJson(Buffer.concat(chunks).toString('utf8'))
}

/** Each line of a stream as JSON, as a watch sends it. Characters may be split between chunks. */
export async function* readJsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let pending: string[] = []
  for await (const chunk of body) {
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
    pending.push(first)
    for (const line of lines) {
      const complete = pending.join('')
      pending = [line]
      if (complete.trim() !== '') yield parseJson(complete)
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The engine's own message quotes the text, and that may hold a user's signed URL.
    throw new Error('the answer is not JSON')
  }
}
