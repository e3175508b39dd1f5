import { guessedCalls } from './route-guesses.ts'
import type { Operation } from '../http/openapi.ts'

/** Hint for a path that does not exist. */
export function unknownPathHint(method: string, path: string, served: readonly Operation[]) {
  const tail = tailOf(path)
  const meant = [tail, `/v1${tail}`]
    .map((one) => callsFor(method, one, served))
    .find((calls) => calls.length > 0)
  return meant === undefined
    ? `Not found: the calls are ${served.map(nameOf).join(', ')}; /openapi.json describes them`
    : `Not found: did you mean ${listOf(meant)}?`
}

/** Hint for a path that exists with other methods. */
export function wrongMethodHint(method: string, path: string, served: readonly Operation[]) {
  const tail = tailOf(path)
  const here = served.filter((operation) => matches(operation, tail))
  const calls = [...meantBy(method, tail, served), ...here]
  return `${method} is not allowed on this path: use ${listOf(calls)}`
}

function tailOf(path: string): string {
  // Matches from the first slash only: otherwise 16,000 slashes take quadratic time.
  return path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^\/api(?=\/)/, '')
    .replace(/(?<!\/)\/+$/, '')
}

function meantBy(method: string, path: string, served: readonly Operation[]): Operation[] {
  return guessedCalls(method, path).flatMap((id) =>
    served.filter((operation) => operation.operationId === id),
  )
}

function callsFor(method: string, path: string, served: readonly Operation[]): Operation[] {
  const here = served.filter((operation) => matches(operation, path))
  const exact = here.filter((operation) => operation.method === method.toLowerCase())
  if (exact.length > 0) return exact
  const meant = meantBy(method, path, served)
  return meant.length > 0 ? meant : here
}

function matches(operation: Operation, path: string): boolean {
  return new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}

function listOf(calls: readonly Operation[]): string {
  return [...new Set(calls.map(nameOf))].join(' or ')
}

function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}
