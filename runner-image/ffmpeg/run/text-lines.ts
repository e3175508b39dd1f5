/**
 * Returns whole lines of a text stream whose lines are short; the beginning of a longer one is
 * dropped.
 */
export function createTextLines(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder()
  let rest = ''
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = (lines.pop() ?? '').slice(-longestRest)
    lines.forEach(onLine)
  }
}

const longestRest = 4096
