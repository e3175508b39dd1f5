import { isKubeError, kubeErrorFrom, lostReply } from '../kube-error.ts'
import { readJsonLines } from '../json-body.ts'
import { numberIn, objectOf, textIn } from '../read-json.ts'

/** An object as the API server sent it, or the version up to which the stream is complete. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: unknown }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }

/**
 * Events of a watch. An ERROR in the stream is thrown like an answer of that status: the server
 * ends the stream cleanly after it, so no other code would notice.
 * @throws KubeError
 */
export async function* readWatchEvents(
  call: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<WatchEvent> {
  try {
    for await (const line of readJsonLines(body)) {
      const event = parseEvent(call, line)
      if (event !== null) yield event
    }
  } catch (error) {
    throw isKubeError(error) ? error : lostReply(call, error)
  }
}

function parseEvent(call: string, line: unknown): WatchEvent | null {
  const event = objectOf(line, 'watch event')
  const object = objectOf(event['object'], 'watch event object')
  const type = event['type']
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object }
    case 'BOOKMARK':
      return {
        type,
        resourceVersion: textIn(objectOf(object['metadata'], 'metadata'), 'resourceVersion'),
      }
    case 'ERROR': {
      const status = numberIn(object, 'code')
      throw kubeErrorFrom(call, { status, body: object, retryAfterMs: null })
    }
    default:
      // A later server may add types; skipping one loses nothing that a relist does not repair.
      return null
  }
}
