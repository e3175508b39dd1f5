import { computed, signal } from '@preact/signals'
import { deletedInputs } from '../../../cli/existing/deleted-inputs.ts'
import { requestOf } from '../draft.ts'
import type { ReadonlySignal } from '@preact/signals'
import type { Client } from '../../../cli/client/client-with-effects.ts'
import type { Draft } from '../draft.ts'
import type { Problem } from './problems.ts'

/** Inputs of a draft that the service has deleted: the check of its text does not look at files. */
export function createGoneInputs(client: Client, draft: ReadonlySignal<Draft>) {
  const urls = signal<ReadonlySet<string>>(new Set())
  const stop = new AbortController()
  const aliases = computed(() =>
    draft.value.inputs.filter(({ url }) => urls.value.has(url)).map(({ alias }) => alias),
  )
  const problems = computed(() =>
    aliases.value.map((alias): Problem => ({
      tone: 'bad',
      field: { kind: 'input', alias },
      at: null,
      remedy: null,
      text: 'The service has deleted this file. Upload it again, or give the input another one.',
    })),
  )
  return {
    /** Aliases of the inputs that still have the URL of a deleted file. */
    aliases,
    /** One for each of them. */
    problems,
    /** @returns whether all files are there, as far as the service knows them */
    async look(): Promise<boolean> {
      const request = requestOf(draft.peek())
      const aliases = await deletedInputs(client, request, stop.signal)
      const found = aliases.map((alias) => request.input_files?.[alias] ?? '')
      urls.value = new Set([...urls.peek(), ...found])
      return aliases.length === 0
    },
    close: () => stop.abort(),
  }
}
