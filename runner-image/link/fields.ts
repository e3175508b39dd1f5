import { isJsonObject } from '../../common/json/json-object.ts'

/**
 * Reads an unknown value as an object of named fields, for messages of a peer that is not trusted
 * to be well-formed.
 * @throws from every reader, naming the field, if the value has not the expected type
 */
export interface Fields {
  text(name: string): string
  textOrNull(name: string): string | null
  number(name: string): number
  numberOrNull(name: string): number | null
  flag(name: string): boolean
  flagOrNull(name: string): boolean | null
  /** Reads a flag that an earlier version does not send. */
  isSet(name: string): boolean
  isNull(name: string): boolean
  texts(name: string): string[]
  textsByName(name: string): Record<string, string>
  oneOf<T extends string>(name: string, values: readonly T[]): T
  object(name: string): Fields
}

export function fieldsOf(value: unknown, place: string): Fields {
  if (!isJsonObject(value)) throw new Error(`${place}: not an object`)
  const field = (name: string): unknown => value[name]
  const wrong = (name: string, wanted: string): Error =>
    new Error(`${place}: '${name}' is not ${wanted}`)

  function text(name: string): string {
    const found = field(name)
    if (typeof found !== 'string') throw wrong(name, 'a string')
    return found
  }
  function number(name: string): number {
    const found = field(name)
    if (typeof found !== 'number') throw wrong(name, 'a number')
    return found
  }
  function flag(name: string): boolean {
    const found = field(name)
    if (typeof found !== 'boolean') throw wrong(name, 'a boolean')
    return found
  }
  return {
    text,
    number,
    flag,
    textOrNull: (name) => (field(name) === null ? null : text(name)),
    numberOrNull: (name) => (field(name) === null ? null : number(name)),
    isSet: (name) => field(name) !== undefined && flag(name),
    flagOrNull: (name) => (field(name) === null ? null : flag(name)),
    isNull: (name) => field(name) === null,
    textsByName(name) {
      const found = field(name)
      if (!isJsonObject(found)) throw wrong(name, 'an object')
      const own = fieldsOf(found, `${place}.${name}`)
      return Object.fromEntries(Object.keys(found).map((key) => [key, own.text(key)]))
    },
    texts(name) {
      const found = field(name)
      if (!Array.isArray(found)) throw wrong(name, 'a list')
      return found.map((entry: unknown) => {
        if (typeof entry !== 'string') throw wrong(name, 'a list of strings')
        return entry
      })
    },
    oneOf(name, values) {
      const found = text(name)
      const value = values.find((candidate) => candidate === found)
      if (value === undefined) throw wrong(name, `one of ${values.join(', ')}`)
      return value
    },
    object: (name) => fieldsOf(field(name), `${place}.${name}`),
  }
}
