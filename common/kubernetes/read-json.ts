import { isJsonObject } from '../json/json-object.ts'
import type { JsonObject } from '../json/json-object.ts'

/**
 * Reads JSON of the API server field by field. The server has validated it against its schema, so a
 * wrong type means that it is not the requested kind (a proxy's page, another version), and the
 * error names the field.
 */
export class UnexpectedShape extends Error {
  constructor(place: string, wanted: string) {
    super(`${place} is not ${wanted}`)
    this.name = 'UnexpectedShape'
  }
}

/** @throws UnexpectedShape */
export function objectOf(value: unknown, place: string): JsonObject {
  if (!isJsonObject(value)) throw new UnexpectedShape(place, 'an object')
  return value
}

/** Absent and `null` read as an empty object. */
export function objectIn(parent: JsonObject, field: string): JsonObject {
  const value = parent[field]
  return value === undefined || value === null ? {} : objectOf(value, field)
}

export function textIn(parent: JsonObject, field: string): string {
  const value = parent[field]
  if (typeof value !== 'string') throw new UnexpectedShape(field, 'text')
  return value
}

export function optionalTextIn(parent: JsonObject, field: string): string | null {
  const value = parent[field]
  return value === undefined || value === null ? null : textIn(parent, field)
}

export function numberIn(parent: JsonObject, field: string): number {
  const value = parent[field]
  if (typeof value !== 'number') throw new UnexpectedShape(field, 'a number')
  return value
}

export function optionalNumberIn(parent: JsonObject, field: string): number | null {
  const value = parent[field]
  return value === undefined || value === null ? null : numberIn(parent, field)
}

export function isTrueIn(parent: JsonObject, field: string): boolean {
  return parent[field] === true
}

/** Absent and `null` read as an empty list. */
export function listIn(parent: JsonObject, field: string): readonly unknown[] {
  const value = parent[field]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new UnexpectedShape(field, 'a list')
  return value
}

export function textsIn(parent: JsonObject, field: string): Record<string, string> {
  const entries = Object.entries(objectIn(parent, field))
  return Object.fromEntries(entries.map(([name, value]) => [name, textIn({ [name]: value }, name)]))
}
