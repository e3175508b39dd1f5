/**
 * The file name of a Content-Disposition header (RFC 6266): `filename*`, else `filename`; null if
 * it has none or one that cannot be decoded.
 */
export function dispositionName(header: string | undefined): string | null {
  if (header === undefined) return null
  const parameters = readParameters(header)
  return extendedValue(parameters.get('filename*')) ?? parameters.get('filename') ?? null
}

const parameterPattern = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*)/g

function readParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', value = ''] of header.matchAll(parameterPattern)) {
    const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), utf8(text))
  }
  return parameters
}

/** RFC 8187: `UTF-8''na%C3%AFve.mp4`. */
function extendedValue(value: string | undefined): string | null {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value ?? '') ?? []
  if (charset.toLowerCase() !== 'utf-8') return null
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** Headers arrive as Latin-1; servers that write UTF-8 into them are common. */
function utf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  const decoded = bytes.toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}
