import { createClientWith, requireAddress } from './client-with-effects.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { Client, ClientOptions } from './client-with-effects.ts'

/** The client of a program on Node.js; see `createClientWith`. */
export function createClient(options: ClientOptions): Client {
  requireAddress(options)
  return createClientWith({
    ...options,
    fetch: options.fetch ?? fetch,
    effects: options.effects ?? systemEffects(),
  })
}

export type {
  Client,
  ClientOptions,
  CommandStatusRecord,
  SingleSubmission,
  Submission,
} from './client-with-effects.ts'
