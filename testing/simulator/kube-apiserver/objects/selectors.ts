import { Refusal } from './refusal.ts'
import type { FakeObject } from './fake-object.ts'

export type Selector = (object: FakeObject) => boolean

/** Reads label selectors with `=`, `==`, `!=`, `in`, existence, and field selectors with `=`, `==`, `!=`. */
export function selectorOf(query: Readonly<Record<string, string>>): Selector {
  const labels = split(query['labelSelector'] ?? '').map(labelRequirement)
  const fields = split(query['fieldSelector'] ?? '').map(fieldRequirement)
  return (object) => [...labels, ...fields].every((holds) => holds(object))
}

/** At commas outside brackets. */
function split(text: string): string[] {
  return text.split(/,(?![^(]*\))/).filter((part) => part.trim() !== '')
}

function labelRequirement(text: string): Selector {
  const labelOf = (object: FakeObject, name: string): string | undefined =>
    object.metadata.labels?.[name]
  const [, notName] = /^\s*!\s*([^\s=!]+)\s*$/.exec(text) ?? []
  if (notName !== undefined) return (object) => labelOf(object, notName) === undefined
  const [, listName, values] = /^\s*(\S+)\s+in\s+\(([^)]*)\)\s*$/.exec(text) ?? []
  if (listName !== undefined && values !== undefined) {
    const allowed = values.split(',').map((value) => value.trim())
    return (object) => allowed.includes(labelOf(object, listName) ?? '')
  }
  const [, name, operator, value] = /^\s*([^\s=!]+)\s*(?:(==?|!=)\s*(\S*))?\s*$/.exec(text) ?? []
  if (name === undefined) throw badSelector(text)
  if (operator === undefined) return (object) => labelOf(object, name) !== undefined
  return (object) => (labelOf(object, name) === value) === (operator !== '!=')
}

function fieldRequirement(text: string): Selector {
  const [, path, operator, value] = /^\s*([\w.]+)\s*(==?|!=)\s*(\S*)\s*$/.exec(text) ?? []
  if (path === undefined) throw badSelector(text)
  return (object) => {
    let found: unknown = object
    for (const name of path.split('.')) {
      found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined
    }
    return ((found ?? '') === value) === (operator !== '!=')
  }
}

function badSelector(text: string): Refusal {
  return new Refusal({ status: 400, reason: 'BadRequest', message: `cannot parse '${text}'` })
}
