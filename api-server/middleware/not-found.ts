import { refusal } from '../http/errors.ts'
import { unknownPathHint } from './routing-hints.ts'
import type { ApiHandler } from './request-context.ts'
import type { Operation } from '../http/openapi.ts'

/** 404 with the calls that the client probably meant. */
export function notFound(served: readonly Operation[]): ApiHandler {
  return ({ method, path }) => {
    throw refusal(404, unknownPathHint(method, path, served))
  }
}
