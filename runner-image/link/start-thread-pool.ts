import { access } from 'node:fs'

/**
 * Node.js starts its threads for files and names with the first work for them, and aborts where the
 * kernel refuses one: a command that holds all threads of its pod would take the runner down with it,
 * as a lost attempt instead of an error that names the limit.
 */
export function startThreadPool(): void {
  access('/', () => undefined)
}
