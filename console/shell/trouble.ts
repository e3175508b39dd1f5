import { isJsonObject } from '../../common/json/json-object.ts'
import { signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { clockTime } from '../parts/clock-time.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

/** Reasons why the service does not answer; null while it answers. */
export type Trouble =
  | { readonly kind: 'no-answer'; readonly since: Date }
  | { readonly kind: 'unavailable'; readonly since: Date }
  | { readonly kind: 'rate'; readonly until: Date }
  | { readonly kind: 'paused'; readonly until: Date; readonly reason: string }

export const trouble = signal<Trouble | null>(null)

/** Query parameters that the service ignores: it is then of another release than this page. */
export const ignored = signal<readonly string[]>([])

export function noteIgnored(names: readonly string[]): void {
  const fresh = names.filter((name) => !ignored.value.includes(name))
  if (fresh.length > 0) ignored.value = [...ignored.value, ...fresh]
}

/**
 * fetch that notes whether the service answers. The client retries, so one failure is not an error yet.
 * @param refused called when the service does not accept the key
 */
export const watchedFetch =
  (refused: () => void, send: typeof fetch = (input, init) => fetch(input, init)): typeof fetch =>
  async (input, init) => {
    try {
      const response = await send(input, init)
      if (response.status === 401) refused()
      const reason = response.status === 503 ? await pauseIn(response.clone()) : null
      if (reason !== null) notePause(reason, response)
      else if (!(isPaused() && isRead(init) && response.ok)) note(response)
      return response
    } catch (error) {
      const since = trouble.value?.kind === 'no-answer' ? trouble.value.since : now()
      if (init?.signal?.aborted !== true) trouble.value = { kind: 'no-answer', since }
      throw error
    }
  }

/** A stream that breaks off is noticed by its reader. */
export function noteLost(): void {
  trouble.value ??= { kind: 'no-answer', since: now() }
}

/** Reason of the administrator who has paused submissions; null for any other 503. */
async function pauseIn(response: Response): Promise<string | null> {
  const body: unknown = await response.json().catch(() => null)
  if (!isJsonObject(body) || body['code'] !== 'submissions_paused') return null
  return String(body['message'])
}

function notePause(reason: string, { headers }: Response): void {
  const seconds = Number(headers.get('retry-after') ?? 1)
  const until = new Date(now().getTime() + seconds * 1_000)
  trouble.value = { kind: 'paused', until, reason }
}

/** Whether submissions are paused until a time to come. Reads are answered meanwhile and say nothing about it. */
function isPaused(): boolean {
  return trouble.value?.kind === 'paused' && trouble.value.until > now()
}

function isRead(init: RequestInit | undefined): boolean {
  return (init?.method ?? 'GET') === 'GET'
}

function note({ status, headers }: Response): void {
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? 1)
    trouble.value = { kind: 'rate', until: new Date(now().getTime() + seconds * 1_000) }
  } else if (status === 502 || status === 503 || status === 504) {
    const since = trouble.value?.kind === 'unavailable' ? trouble.value.since : now()
    trouble.value = { kind: 'unavailable', since }
  } else {
    trouble.value = null
  }
}

function now(): Date {
  return browserEffects.clock.wall()
}

/** @param nextTry when the stream is tried again; null while that is done */
export function troubleWords(found: Trouble, nowMs: number, nextTry: Date | null): string {
  const secondsTo = (time: Date) => Math.max(1, Math.ceil((time.getTime() - nowMs) / 1_000))
  const again = nextTry === null ? 'Trying again.' : `Trying again in ${secondsTo(nextTry)} s.`
  switch (found.kind) {
    case 'no-answer':
      return `No answer from the service since ${clockTime(found.since)}. What you see is from then. ${again}`
    case 'unavailable':
      return `The database is away since ${clockTime(found.since)}; running commands go on. ${again}`
    case 'paused':
      return `${found.reason}. Trying again in ${secondsTo(found.until)} s.`
    case 'rate':
      return `The plan's rate of requests is used up. Going on in ${secondsTo(found.until)} s.`
  }
}

type Pause = NonNullable<AccountUsage['pauses']>[number]

const paused: Readonly<Record<Pause['what'], string>> = {
  submissions: 'New commands and files',
  dispatch: 'The start of commands',
  admission: 'The start of commands',
  account: 'The start of commands of this account',
  webhooks: 'The delivery of webhooks',
}

/** The pause of an administrator, with its reason. */
export function pauseWords({ what, why }: Pause): string {
  const verb = what === 'submissions' ? 'are' : 'is'
  const reason = why.trim().replace(/\.$/, '')
  return `${paused[what]} ${verb} paused by an administrator${reason === '' ? '' : `: ${reason}`}.`
}
