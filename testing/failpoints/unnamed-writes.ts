/** A source file, by its path from the root of the repository. */
export interface Source {
  readonly file: string
  readonly text: string
}

/** `FILE METHOD` of each call of these methods of a store, a bucket or the cluster that has no failpoint around it. */
export function unnamedWrites({ file, text }: Source, methods: readonly string[]): string[] {
  const code = withoutTexts(text)
  const calls = [...code.matchAll(/(\w+)\s*\??\.(\w+)\(/g)].flatMap(
    ({ index, 1: receiver = '', 2: method = '' }) =>
      receivers.test(receiver) && methods.includes(method) ? [{ index, method }] : [],
  )
  return calls
    .filter(({ index }) => !callsAround(code, index).some((open) => isNamed(text.slice(open))))
    .map(({ method }) => `${file} ${method}`)
}

/** Methods of interfaces that change something. One whose name begins with another word counts as such. */
export function writesOf(interfaces: readonly string[]): string[] {
  const methods = interfaces.flatMap((text) =>
    [...text.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name),
  )
  return [...new Set(methods)].filter((name) => !reading.test(name)).toSorted()
}

const receivers =
  /(?:store|storage|objects|commands|files|jobs|pods|leases|events|configmaps|resource|kind)s?$/i
const reading =
  /^(?:constructor|find|list|filter|expand|count|read|get|page|watch|presign|head|parse|ping|close|isAccountEmpty|dryRun|gauges|tokensLeft|secondsUntil|boundWarmRunners|warmRunnerDemand|collectable)|(?:Backlog|Gauges)$/

/**
 * Whether a name stands among the first arguments of a call: `failpoint('NAME', …)`, `effect(deps, 'NAME', …)`. Its type
 * lets no other names stand there.
 */
function isNamed(afterParenthesis: string): boolean {
  return /^\s*(?:\w+,\s*){0,2}(?:'[a-z]+\.[a-z_]+'|name),/.test(afterParenthesis)
}

/** Positions behind the opening parentheses that a position is inside of. */
function callsAround(code: string, position: number): number[] {
  const open: number[] = []
  for (let at = 0; at < position; at += 1) {
    if (code[at] === '(') open.push(at + 1)
    if (code[at] === ')') open.pop()
  }
  return open
}

/** The same code with spaces for comments, texts and regular expressions, which may hold parentheses. */
function withoutTexts(text: string): string {
  const blank = (found: string) => found.replaceAll(/[^\n]/g, ' ')
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<!:)\/\/[^\n]*/g, blank)
    .replaceAll(/(?<=[(,=:!&|?]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g, blank)
}
