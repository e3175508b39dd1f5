/**
 * Markers of template languages around what a workflow or a program should have put its value in
 * place of: n8n and Handlebars, JavaScript and shells, ERB and EJS, Jinja, Ruby, Python, Windows.
 */
const markers = [
  /\{\{.*?\}\}/s,
  /\$\{[^}]*\}/,
  /<%.*?%>/s,
  /\{%.*?%\}/s,
  /#\{[^}]*\}/,
  /\$\([^)]*\)/,
  /%\(\w+\)[sdrf]/,
  /\{\w*\}/,
  /\[\[.*?\]\]/s,
  /%(?!d_)[A-Za-z_]\w{2,}%/,
]

/** The first expression in the text that was not evaluated; null if there is none. */
export function unfilledExpression(text: string): string | null {
  for (const marker of markers) {
    const [found] = marker.exec(text) ?? []
    if (found !== undefined) return found
  }
  return null
}
