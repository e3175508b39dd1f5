import { duplicateKey } from './duplicate-key.ts'

/** Probable mistake of a client whose body is not JSON: the usual ones of shells, forms and templates. */

/** Characters of the body shown on either side of the place. */
const shown = 24

/**
 * One sentence on the mistake, with its place.
 * @param parserError the message of JSON.parse, in V8's words
 * @param contentType as the request names it, or ''
 */
export function jsonMistake(text: string, parserError: string, contentType: string): string {
  const form = formMistake(text, contentType)
  if (form !== null) return form
  const at = positionIn(parserError, text)
  return `${reasonAt(text, at, parserError)}, ${placeOf(text, at)}`
}

/**
 * One sentence on a string that stands where an object or array belongs; null where it parses and is clear, or looks like other text.
 * @param wanted `object` or `array`
 */
export function jsonStringMistake(text: string, wanted: string): string | null {
  if (/^\s*\[object \w+\]/.test(text)) {
    return `Input is '[object Object]', the text that JavaScript makes of an object; send the ${wanted} itself`
  }
  if (!/^\s*[{[]/.test(text)) return null
  try {
    JSON.parse(text)
    const duplicate = duplicateKey(text)
    return duplicate === null ? null : `Input is a string of JSON that is not clear: ${duplicate}`
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const at = positionIn(error.message, text)
    const reason = reasonAt(text, at, error.message)
    return `Input is a string of JSON that does not parse at position ${at} (${reason}); send the ${wanted}`
  }
}

/** One sentence on a body that is a form; null for others. */
export function formMistake(text: string, contentType: string): string | null {
  const start = text.trimStart()
  if (/^multipart\//i.test(contentType) || /^--\S+\r?\ncontent-disposition:/i.test(start)) {
    return 'it is a multipart form; send one JSON object, and files to the upload_urls of POST /v1/files/init-upload'
  }
  if (/^[\w.%[\]-]{1,64}=/.test(start)) {
    return 'it is form data (name=value); send one JSON object such as {"name": "value"}'
  }
  return null
}

function reasonAt(text: string, at: number, parserError: string): string {
  const char = text[at] ?? ''
  const before = text.slice(Math.max(0, at - 200), at).trimEnd()
  const rest = text.slice(at, at + 16)
  if (at >= text.length) return 'it ends before its last bracket or quote is closed'
  if (char === "'") return 'it has single quotes; JSON has double quotes'
  if (/^[“”„‘’«»]/u.test(rest)) return 'it has typographic quotes; JSON has plain double quotes'
  if (char === '\n' || char === '\r') {
    return String.raw`a string contains a line break; write \n, or a blank between joined lines`
  }
  if (char === '\t') return String.raw`a string contains a tab; write \t`
  if (/bad escaped character|bad unicode escape/i.test(parserError)) {
    return String.raw`a string contains a single backslash; write \\ for each`
  }
  if (before.endsWith(',') && /^[}\]]/.test(rest)) return 'a comma stands before a closing bracket'
  if (/^(\/\/|\/\*|#)/.test(rest)) return 'it has a comment; JSON has none'
  if (text.slice(Math.max(0, at - 1), at + 2).includes('{{'))
    return 'a template {{…}} stands outside of quotes or was not filled in'
  if (/^(True|False|None)\b/.test(rest)) return "it has Python's words; JSON has true, false, null"
  if (/^(NaN|-?Infinity|undefined)\b/.test(rest))
    return 'it has NaN, Infinity or undefined, which JSON does not have'
  if (/after JSON/i.test(parserError)) return 'something follows the end of the JSON value'
  if (/^[A-Za-z_$]/.test(rest) && /[{,]$/.test(before)) return 'a name stands without double quotes'
  if (/^["{[\w-]/.test(rest) && /["}\]\w]$/.test(before)) return 'a comma or colon is missing'
  return 'a character is not expected here'
}

/** V8 names the position, except where the text ends early or one token is all there is. */
function positionIn(parserError: string, text: string): number {
  const position = /at position (\d+)/.exec(parserError)?.[1]
  if (position !== undefined) return Number(position)
  const token = /^Unexpected token '(.)'/su.exec(parserError)?.[1]
  const found = token === undefined ? -1 : text.indexOf(token)
  return found === -1 ? text.length : found
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  const column = (lines.at(-1) ?? '').length + 1
  const from = Math.max(0, at - shown)
  const around = text.slice(from, at + shown).replaceAll(/\s+/g, ' ')
  return `line ${lines.length}, column ${column}, near ${withoutQuery(around)}`
}

/** Query strings of signed URLs grant access, and error texts end in other people's logs. */
function withoutQuery(text: string): string {
  return text.replaceAll(/\?[^\s"]*/g, '?…')
}
