import { isJsonObject } from '../../../../common/kubernetes/read-json.ts'

/** RFC 7396: objects merge, `null` removes, everything else replaces, lists included. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = mergePatch(result[name], value)
  }
  return result
}
