import { isJsonObject, listIn, objectIn } from './read-json.ts'
import type { JsonObject } from './read-json.ts'

/**
 * What may be logged and shown of a `Status` object of the API server. Its validation errors repeat
 * the refused values, and those can be signed URLs; so values and the tails of URLs are cut.
 */
export function safeStatusMessage(status: JsonObject): string {
  const causes = listIn(objectIn(status, 'details'), 'causes').filter(isJsonObject)
  const isValidation = status['reason'] === 'Invalid' && causes.length > 0
  const text = isValidation ? causes.map(causeText).join('; ') : textOf(status['message'])
  return shortened(withoutUrlTails(withoutValues(text)))
}

function causeText(cause: JsonObject): string {
  return [textOf(cause['field']), textOf(cause['message'])].filter((part) => part !== '').join(': ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * E.g. `Invalid value: "x": must be …`. Values come as a Go string, as JSON or as a bare word; a rule
 * of a custom resource may come without one, and then its words are kept.
 */
function withoutValues(text: string): string {
  return text.replace(
    /\b((?:Invalid|Unsupported|Duplicate) value): (?:"(?:[^"\\]|\\.)*"|\{.*\}|\[.*\]|[^\s:"]+)(?=: |[;,\]]|$)/g,
    '$1',
  )
}

function withoutUrlTails(text: string): string {
  return text.replace(/:\/\/(?:[^\s"'/@]*@)?([^\s"'/?#]+)[^\s"']*/g, '://$1/…')
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}
