/** Headers of an event's request: a `Headers`, or the headers of `node:http`. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How far the event's time may be from this host's: an attacker may send an old one again. 300 s by default. */
  readonly toleranceSeconds?: number
  readonly now?: () => Date
}

/** The request is not from the service, or was changed on its way: answer 400 and do not act on it. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/**
 * Verifies a request of a webhook as Standard Webhooks defines it, and returns its body, parsed. The same
 * event may come more than once: `webhook-id` is the same then.
 * @param body as it was received, before any parser: each byte counts
 * @param secret of `GET /v1/webhook`; several while it is rotated
 * @throws WebhookRefused
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function verify<T = unknown>(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = () => new Date() }: VerifyOptions = {},
): Promise<T> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const [id, timestamp, signatures] = names.map((name) => headerOf(headers, name))
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new WebhookRefused(`the request needs the headers ${names.join(', ')}`)
  }
  const differenceSeconds = Math.abs(now().getTime() / 1_000 - Number(timestamp))
  if (!(differenceSeconds <= toleranceSeconds)) {
    throw new WebhookRefused(
      `webhook-timestamp ${timestamp} is more than ${toleranceSeconds} s from this host's time`,
    )
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const secrets = typeof secret === 'string' ? [secret] : secret
  for (const each of secrets) {
    const key = await keyOf(each)
    for (const signature of signatures.split(' ')) {
      const [version, base64 = ''] = signature.split(',')
      if (version !== 'v1') continue
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, bytesOf(base64), signed)) return parsed<T>(text)
    }
  }
  throw new WebhookRefused('no signature of webhook-signature is of this secret and body')
}

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.join(' ')
}

/** @throws TypeError if the secret is none of the service */
async function keyOf(secret: string): Promise<Awaited<ReturnType<typeof crypto.subtle.importKey>>> {
  const key = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : null
  if (key === null || key.length === 0) {
    throw new TypeError(
      'the secret of a webhook is whsec_ and base64, as GET /v1/webhook returns it',
    )
  }
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Empty if the text is not base64, which no signature equals. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
  } catch {
    return new Uint8Array()
  }
}

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw new WebhookRefused('the body is signed and is not JSON')
  }
}
