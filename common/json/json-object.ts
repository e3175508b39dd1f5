/** An object of parsed JSON; not a list. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty object in place of any other value. */
export function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
