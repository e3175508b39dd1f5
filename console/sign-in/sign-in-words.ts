import { ApiError } from '../../cli/client/errors.ts'
import { reasonOf } from '../parts/notices.ts'

/** Reason why a key was refused. */
export function refusalWords(error: unknown): string {
  return error instanceof ApiError && error.status === 401
    ? 'This service does not know that key. Keys begin with cff_.'
    : reasonOf(error)
}

/** The key in a pasted text, which signs in at once; null for a text with blanks. */
export function pastedKey(text: string): string | null {
  const key = text.trim()
  return /^\S+$/.test(key) ? key : null
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether others can read the traffic of the page. */
export function isReadable({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>) {
  return protocol === 'http:' && !loopback.test(hostname)
}
