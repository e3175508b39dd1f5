import { refusal } from '../http/errors.ts'

/**
 * The id in lower case. On the calls whose ids are texts to clients, one that is no UUID is unknown
 * like any other.
 * @throws Refusal 404 with `detail`
 */
export function knownId(text: string, detail: string): string {
  if (!uuid.test(text)) throw refusal(404, detail)
  return text.toLowerCase()
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
