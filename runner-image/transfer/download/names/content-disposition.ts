import {
  percentDecoded,
  utf8OrLatin1,
} from '../../../../common/command-line/model/source-file-name.ts'

/**
 * The file name of a Content-Disposition header (RFC 6266): `filename*`, else `filename`; null if
 * it has none or one that cannot be decoded. Servers write names with blanks and without quotes, which
 * RFC 6266 forbids and browsers take; so does this.
 */
export function dispositionName(header: string | undefined): string | null {
  if (header === undefined) return null
  const parameters = readParameters(header)
  return extendedValue(parameters.get('filename*')) ?? parameters.get('filename') ?? null
}

const parameterPattern = /(?:^|;)\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g

function readParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', value = ''] of header.matchAll(parameterPattern)) {
    const text = value.startsWith('"') ? unquoted(value) : value.trim()
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), utf8OrLatin1(text))
  }
  return parameters
}

function unquoted(value: string): string {
  return value.slice(1, value.endsWith('"') ? -1 : undefined).replace(/\\(["\\])/g, '$1')
}

/** RFC 8187: `UTF-8''na%C3%AFve.mp4`. */
function extendedValue(value: string | undefined): string | null {
  const [, charset = '', encoded = ''] = /^"?([\w-]+)'[^']*'(.*?)"?$/.exec(value ?? '') ?? []
  if (!/^(?:utf-?8|iso-8859-1)$/i.test(charset)) return null
  return percentDecoded(encoded)
}
