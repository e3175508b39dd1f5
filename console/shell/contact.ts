import { signal } from '@preact/signals'
import { refusedKey } from './session.ts'

/** What keeps the service from answering; null while it answers. */
export type Trouble =
  | { readonly kind: 'no-answer'; readonly since: Date }
  | { readonly kind: 'unavailable'; readonly since: Date }
  | { readonly kind: 'rate'; readonly until: Date }

export const trouble = signal<Trouble | null>(null)

/** Query parameters that the service ignores: it is then of another release than this page. */
export const ignored = signal<readonly string[]>([])

export function noteIgnored(names: readonly string[]): void {
  const fresh = names.filter((name) => !ignored.value.includes(name))
  if (fresh.length > 0) ignored.value = [...ignored.value, ...fresh]
}

/** fetch that notes whether the service answers. The client retries, so one failure is not an error yet. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    note(response)
    return response
  } catch (error) {
    const since = trouble.value?.kind === 'no-answer' ? trouble.value.since : new Date()
    if (init?.signal?.aborted !== true) trouble.value = { kind: 'no-answer', since }
    throw error
  }
}

/** A stream that breaks off is noticed by its reader. */
export function noteLost(): void {
  trouble.value ??= { kind: 'no-answer', since: new Date() }
}

function note({ status, headers }: Response): void {
  if (status === 401) refusedKey.value = true
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? 1)
    trouble.value = { kind: 'rate', until: new Date(new Date().getTime() + seconds * 1_000) }
  } else if (status === 502 || status === 503 || status === 504) {
    const since = trouble.value?.kind === 'unavailable' ? trouble.value.since : new Date()
    trouble.value = { kind: 'unavailable', since }
  } else {
    trouble.value = null
  }
}
