/**
 * Whether a client would rather have HTML than JSON (RFC 9110, section 12.5.1). Equal qualities are
 * decided by the more specific range, then by the order of the header; JSON is the default.
 */
export function prefersHtml(accept = '*/*'): boolean {
  const ranges = accept.split(',').map(rangeFrom)
  const html = rangeFor('text/html', ranges)
  const json = rangeFor('application/json', ranges)
  if (html.quality <= 0 || json.quality <= 0) return html.quality > 0
  const difference =
    html.quality - json.quality || html.exactness - json.exactness || json.place - html.place
  return difference > 0
}

interface Range {
  readonly name: string
  /** 2: a type, 1: all types of a kind, 0: all types. */
  readonly exactness: number
  readonly quality: number
  readonly place: number
}

function rangeFrom(text: string, place: number): Range {
  const [name = '', ...parameters] = text.split(';').map((one) => one.trim().toLowerCase())
  const quality = parameters.find((one) => one.startsWith('q='))?.slice('q='.length) ?? '1'
  const exactness = name === '*/*' ? 0 : name.endsWith('/*') ? 1 : 2
  return { name, exactness, quality: Number(quality), place }
}

/** The most specific range that holds a type. */
function rangeFor(type: string, ranges: readonly Range[]): Range {
  const [best] = ranges
    .filter(({ name }) => [type, `${type.split('/')[0]}/*`, '*/*'].includes(name))
    .toSorted((a, b) => b.exactness - a.exactness)
  return best ?? { name: type, exactness: 0, quality: 0, place: 0 }
}
