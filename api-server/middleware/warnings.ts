import type { Response } from 'express'
import type { Answer } from '../http/errors.ts'

/** Proxies refuse answers whose headers exceed 4 or 8 KiB. */
const maxWarnings = 8

/** Names ignored parameters in a header of the answer, whichever it is. */
export function ignoredParameters(res: Response, names: readonly string[]): void {
  if (names.length === 0) return
  const shown = names
    .slice(0, maxWarnings)
    .map((name) => name.replaceAll(/[^\x21-\x2b\x2d-\x7e]/g, '?'))
  res.setHeader('X-Ignored-Parameters', shown.join(', '))
}

/**
 * Adds one `Warning` field value for each text: code 299, no agent (RFC 7234, section 5.5). An answer repeated under
 * its Idempotency-Key carries them in its body alone.
 */
export function withWarnings(answer: Answer, texts: readonly string[]): Answer {
  if (texts.length === 0) return answer
  const rest = texts.length - maxWarnings
  const shown = [...texts.slice(0, maxWarnings), ...(rest > 0 ? [`and ${rest} more`] : [])]
  return { ...answer, headers: { ...answer.headers, Warning: shown.map(warning).join(', ') } }
}

/** A header holds no line break and, within quotes, no bare quote or backslash; other than ASCII is left to the body. */
function warning(text: string): string {
  const ascii = text.replaceAll('…', '...').replaceAll(/[^\x20-\x7e]/g, '?')
  return `299 - "${ascii.replaceAll(/["\\]/g, "'")}"`
}
