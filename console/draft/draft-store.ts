import { effect, signal } from '@preact/signals'
import { isMemoryOnly, profiles } from '../shell/session.ts'
import { emptyDraft } from './draft.ts'
import type { Signal } from '@preact/signals'
import type { Draft, DraftInput } from './draft.ts'

/** Why a command failed, and its text then: a mark makes no sense in another text. */
export interface Failure {
  readonly index: number
  readonly text: string
  readonly message: string
}

/** What the playground holds for a key, as long as the tab is open. */
export interface Work {
  readonly draft: Signal<Draft>
  readonly failure: Signal<Failure | null>
  /** The command that was run last from here. */
  readonly runId: Signal<string | null>
}

const works = new Map<string, Work>()
const nameOf = (profileId: string) => `cloud-ffmpeg.draft.${profileId}`

/** The draft of a profile; after a reload of the page, as it was. */
export function workOf(profileId: string): Work {
  const known = works.get(profileId)
  if (known !== undefined) return known
  const work: Work = {
    draft: signal(restored(profileId)),
    failure: signal(null),
    runId: signal(null),
  }
  works.set(profileId, work)
  effect(() => {
    const text = JSON.stringify(work.draft.value)
    if (!isMemoryOnly() && works.has(profileId)) sessionStorage.setItem(nameOf(profileId), text)
  })
  return work
}

/** The draft of a key goes with the key. */
effect(() => {
  const kept = new Set(profiles.value.map(({ id }) => id))
  for (const id of works.keys()) {
    if (kept.has(id)) continue
    works.delete(id)
    sessionStorage.removeItem(nameOf(id))
  }
})

function restored(profileId: string): Draft {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(nameOf(profileId)) ?? 'null')
    return isDraft(found) ? found : emptyDraft
  } catch {
    return emptyDraft
  }
}

/** Drafts of another version of the console may lack a field. */
function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(emptyDraft).every((name) => name in value)
  )
}

/** Puts a file where the first input without one is, or into a new one. */
export function withFile(
  draft: Draft,
  file: Omit<DraftInput, 'alias' | 'hint'>,
  free: string,
): Draft {
  const at = draft.inputs.findIndex((one) => one.url.trim() === '' && one.file === null)
  const inputs =
    at === -1
      ? [...draft.inputs, { alias: free, hint: null, ...file }]
      : draft.inputs.map((one, index) => (index === at ? { ...one, ...file } : one))
  return { ...draft, zip: null, inputs }
}
