import { effect, signal } from '@preact/signals'
import { emptyDraft } from '../draft.ts'
import { draftIn } from './stored-draft.ts'
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { Profile } from '../../shell/profiles.ts'
import type { Draft } from '../draft.ts'
import type { Failure } from '../problems/failure.ts'

/** State of the playground for a key, as long as the tab is open. */
export interface Work {
  readonly draft: Draft
  /** The last failure of a command that was run or opened here. */
  readonly failure: Failure | null
  /** The command that was run last from here. */
  readonly runId: string | null
  /** An armed command is submitted once its files are uploaded. */
  readonly phase: 'editing' | 'armed' | 'sending'
}

export const emptyWork: Work = {
  draft: emptyDraft,
  failure: null,
  runId: null,
  phase: 'editing',
}

interface Deps {
  readonly profiles: ReadonlySignal<readonly Pick<Profile, 'id'>[]>
  readonly isMemoryOnly: () => boolean
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** @returns a function that returns the work of a profile; after a reload of the page, with its draft as it was */
export function createWorks({ profiles, isMemoryOnly, storage }: Deps) {
  const works = new Map<string, Signal<Work>>()
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
  return (profileId: string): Signal<Work> => {
    const known = works.get(profileId)
    if (known !== undefined) return known
    const draft = draftIn(storage().getItem(nameOf(profileId)))
    const work = signal<Work>({ ...emptyWork, draft })
    works.set(profileId, work)
    effect(() => {
      const text = JSON.stringify(work.value.draft)
      if (!isMemoryOnly() && works.has(profileId)) storage().setItem(nameOf(profileId), text)
    })
    return work
  }
}
