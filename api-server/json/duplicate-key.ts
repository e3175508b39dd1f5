/**
 * JSON.parse keeps the last of two equal keys: a caller who wrote `is_private` as true and then as false would get a
 * public file without a word.
 * @param text that JSON.parse accepts
 * @returns one sentence on the first key that stands twice in its object, with both places; null: there is none
 */
export function duplicateKey(text: string): string | null {
  const outer: (Map<string, number> | null)[] = []
  /** Keys of the innermost object, with their places; null in an array. */
  let keys: Map<string, number> | null = null
  let isKey = false
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '{':
        outer.push(keys)
        keys = new Map()
        isKey = true
        break
      case '[':
        outer.push(keys)
        keys = null
        isKey = false
        break
      case '}':
      case ']':
        keys = outer.pop() ?? null
        isKey = false
        break
      case ',':
        isKey = keys !== null
        break
      case '"': {
        const end = endOfString(text, at)
        if (isKey && keys !== null) {
          const key = keyIn(text.slice(at, end + 1))
          const earlier = keys.get(key)
          if (earlier !== undefined) return sentence(text, key, at, earlier)
          keys.set(key, at)
          isKey = false
        }
        at = end
        break
      }
    }
  }
  return null
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text[from - 1] === '\\') from -= 1
  return (at - from) % 2 === 1
}

/** `"in_1"` and `"\u0069n_1"` are the same key. */
function keyIn(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
}

const longestShown = 60

function sentence(text: string, key: string, at: number, earlier: number): string {
  const name = key.length > longestShown ? `${key.slice(0, longestShown)}…` : key
  return `the key '${name}' stands twice (${placeOf(text, at)}, and ${placeOf(text, earlier)}); leave one of them out`
}

/** Both count from 1. */
function placeOf(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at) + 1
  const line = text.slice(0, at).split('\n').length
  return `line ${line}, column ${at - lineStart + 1}`
}
