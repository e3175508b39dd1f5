import type { Operation, OperationId } from './openapi.ts'

interface Guess {
  readonly method?: string
  readonly path: RegExp
  /** The call that was meant; the hint is given only where this version serves it. */
  readonly meant: OperationId
}

/** Paths and methods that people try first. The first match counts. */
const guesses: readonly Guess[] = [
  { path: /^\/v1\/commands?\/[^/]+(\/status)?$/, meant: 'getCommand' },
  { path: /^\/v1\/(jobs?|tasks?|status)\/[^/]+$/, meant: 'getCommand' },
  { method: 'POST', path: /^\/v1\/commands?$/, meant: 'runFfmpegCommand' },
  { method: 'POST', path: /^\/v1\/(jobs?|tasks?)$/, meant: 'runFfmpegCommand' },
  { path: /^\/v1\/(jobs?|tasks?|commands?|list)$/, meant: 'listCommands' },
  { path: /^\/v1\/(run|execute|ffmpeg|submit|transcode|convert)/, meant: 'runFfmpegCommand' },
]

/** For a path that does not exist. */
export function unknownPathHint(method: string, path: string, served: readonly Operation[]) {
  const tail = path.replace(/^\/api(?=\/)/, '').replace(/\/+$/, '')
  const meant = meantBy(method, tail, served)
  if (meant !== null) return `Not found: did you mean ${nameOf(meant)}?`
  const prefixed = meantBy(method, `/v1${tail}`, served) ?? exact(`/v1${tail}`, served)
  if (prefixed !== null) return `Not found: did you mean ${nameOf(prefixed)}?`
  return `Not found: the calls are ${served.map(nameOf).join(', ')}; /openapi.json describes them`
}

/** For a path that exists with other methods. */
export function wrongMethodHint(method: string, path: string, served: readonly Operation[]) {
  const tail = path.replace(/^\/api(?=\/)/, '').replace(/\/+$/, '')
  const meant = meantBy(method, tail, served)
  const here = served.filter((operation) => matches(operation, tail)).map(nameOf)
  const calls = [...new Set([...(meant === null ? [] : [nameOf(meant)]), ...here])]
  return `${method} is not allowed on this path: use ${calls.join(' or ')}`
}

function meantBy(method: string, path: string, served: readonly Operation[]): Operation | null {
  const guess = guesses.find(
    (one) => (one.method === undefined || one.method === method) && one.path.test(path),
  )
  return served.find((operation) => operation.operationId === guess?.meant) ?? null
}

function exact(path: string, served: readonly Operation[]): Operation | null {
  return served.find((operation) => matches(operation, path)) ?? null
}

function matches(operation: Operation, path: string): boolean {
  return new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}

function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}
