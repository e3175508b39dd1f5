import type { IncomingMessage } from 'node:http'

export type JsonBody =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'malformed' }

/** Stops reading where the limit is passed; an empty body is undefined. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<JsonBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' }
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const buffer = Buffer.from(chunk as Uint8Array)
      bytes += buffer.length
      if (bytes > limit) return { kind: 'too-large' }
      chunks.push(buffer)
    }
    const text = Buffer.concat(chunks).toString('utf8')
    return { kind: 'read', value: text === '' ? undefined : JSON.parse(text) }
  } catch {
    // Broken off or no JSON: either way nothing was said.
    return { kind: 'malformed' }
  }
}
