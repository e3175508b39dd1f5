/**
 * The statements of a migration's step, in lower case, without comments, each white space one blank.
 * Texts in quotes and function bodies are kept as `''`, so that no rule reads them as SQL.
 */
export function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(token, (found) => {
      if (found.startsWith('--') || found.startsWith('/*')) return ' '
      return found.startsWith('"') ? found : `''`
    })
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/** Comments, names in quotes, texts in quotes, bodies between dollars: whichever begins first. */
const token = /--[^\n]*|\/\*[^]*?\*\/|"[^"]*"|'(?:[^']|'')*'|(\$\w*\$)[^]*?\1/g

/** Splits at commas that are in no parentheses: the actions of ALTER TABLE. */
export function atTopLevel(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += character
  }
  return [...parts, part.trim()]
}
