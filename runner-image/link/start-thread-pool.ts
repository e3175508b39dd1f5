import { access } from 'node:fs'

/**
 * Node.js starts its threads for files and names with the first work for them, and aborts if the
 * kernel refuses one: a command that holds all threads of its pod would end the runner, as a lost
 * attempt instead of an error that names the limit.
 */
export function startThreadPool(): void {
  access('/', () => undefined)
}
