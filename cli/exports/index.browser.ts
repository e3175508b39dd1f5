import { createClientWith } from '../client/client-with-effects.ts'
import type { Client, ClientOptions } from '../client/client-with-effects.ts'
import { browserEffects } from '../client/browser-effects.ts'

/** The client for browsers and for bundlers with the condition `browser`: without local files. */
export function createClient(options: ClientOptions): Client {
  return createClientWith({
    ...options,
    // Browsers refuse a `fetch` that is called as the method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    effects: options.effects ?? browserEffects,
  })
}

export { ApiError, NoAnswerError, UnexpectedAnswer } from '../client/errors.ts'
export type * from '../client/client-with-effects.ts'
export type * from '../../common/openapi/openapi-types.ts'
