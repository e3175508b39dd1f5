import { createHash } from 'node:crypto'

/** The parts of a request that its fingerprint covers. */
export interface FingerprintedRequest {
  readonly method: string
  readonly path: string
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown
}

/** SHA-256, equal for bodies that are equal as JSON values: the order of keys is ignored. */
export function fingerprint({ method, path, body }: FingerprintedRequest): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body)}`)
    .digest()
}

/** Not recursive: half a megabyte of brackets is valid JSON and would overflow the stack. */
function canonicalJson(value: unknown): string {
  const parts: string[] = []
  const open: Container[] = []
  write(value)
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    if (inner.next < inner.values.length) {
      parts.push(inner.next === 0 ? '' : ',', inner.names?.[inner.next] ?? '')
      write(inner.values[inner.next++])
    } else {
      parts.push(inner.names === null ? ']' : '}')
      open.pop()
    }
  }
  return parts.join('')

  function write(one: unknown): void {
    if (typeof one !== 'object' || one === null) {
      parts.push(JSON.stringify(one) ?? '')
      return
    }
    const container = containerFor(one)
    parts.push(container.names === null ? '[' : '{')
    open.push(container)
  }
}

/** An array or object that is being written. */
interface Container {
  readonly values: readonly unknown[]
  /** `"name":` for each value of an object; null for an array. */
  readonly names: readonly string[] | null
  next: number
}

function containerFor(value: object): Container {
  if (Array.isArray(value)) return { values: value, names: null, next: 0 }
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    values: fields.map(([, field]) => field as unknown),
    names: fields.map(([name]) => `${JSON.stringify(name)}:`),
    next: 0,
  }
}
