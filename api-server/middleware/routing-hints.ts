import { editDistance } from '../../common/runtime/edit-distance.ts'
import { guessedCalls } from './route-guesses.ts'
import type { Operation } from '../http/openapi.ts'

/** Hint for a path that does not exist. */
export function unknownPathHint(method: string, path: string, served: readonly Operation[]) {
  const tail = tailOf(path)
  const once = tail.replace(/^(?:\/v1)+(?=\/v1(?:\/|$))/i, '')
  const meant = [once, `/v1${once}`]
    .map((one) => callsFor(method, one, served))
    .find((calls) => calls.length > 0)
  if (once !== tail) {
    const call = meant === undefined ? '' : `: the call is ${listOf(meant)}`
    return `Not found: the path has /v1 twice; drop /v1 from the base URL${call}`
  }
  return meant === undefined
    ? `Not found: the nearest calls are ${listOf(nearest(method, tail, served))}; /docs/api has all`
    : `Not found: did you mean ${listOf(meant)}?`
}

/** Longer paths are cut before they are compared, which takes quadratic time. */
const longestCompared = 64

/** The two calls whose paths differ least; those of the same method first. */
function nearest(method: string, path: string, served: readonly Operation[]): Operation[] {
  const sent = (/^\/v1(\/|$)/i.test(path) ? path : `/v1${path}`).slice(0, longestCompared)
  const parts = sent.split('/')
  const distanceTo = (operation: Operation) => {
    const filled = operation.path
      .split('/')
      .map((part, index) => (part.startsWith('{') ? (parts[index] ?? part) : part))
    const other = operation.method === method.toLowerCase() ? 0 : 0.5
    return editDistance(filled.join('/'), sent) + other
  }
  return served
    .map((operation) => ({ operation, distance: distanceTo(operation) }))
    .toSorted((one, two) => one.distance - two.distance)
    .slice(0, 2)
    .map(({ operation }) => operation)
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
