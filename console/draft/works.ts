import { effect, signal } from '@preact/signals'
import { draftIn } from './stored-draft.ts'
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { Profile } from '../shell/profiles.ts'
import type { Draft } from './draft.ts'
import type { Failure } from './failure.ts'

/** State of the playground for a key, as long as the tab is open. */
export interface Work {
  readonly draft: Signal<Draft>
  readonly failure: Signal<Failure | null>
  /** The command that was run last from here. */
  readonly runId: Signal<string | null>
}

interface Deps {
  readonly profiles: ReadonlySignal<readonly Pick<Profile, 'id'>[]>
  readonly isMemoryOnly: () => boolean
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** @returns a function that returns the draft of a profile; after a reload of the page, as it was */
export function createWorks({ profiles, isMemoryOnly, storage }: Deps) {
  const works = new Map<string, Work>()
  const nameOf = (profileId: string) => `cloud-ffmpeg.draft.${profileId}`
  // The draft of a key goes with the key.
  effect(() => {
    const kept = new Set(profiles.value.map(({ id }) => id))
    for (const id of works.keys()) {
      if (kept.has(id)) continue
      works.delete(id)
      storage().removeItem(nameOf(id))
    }
  })
  return (profileId: string): Work => {
    const known = works.get(profileId)
    if (known !== undefined) return known
    const draft = signal(draftIn(storage().getItem(nameOf(profileId))))
    const work: Work = { draft, failure: signal(null), runId: signal(null) }
    works.set(profileId, work)
    effect(() => {
      const text = JSON.stringify(draft.value)
      if (!isMemoryOnly() && works.has(profileId)) storage().setItem(nameOf(profileId), text)
    })
    return work
  }
}
