import { unknownPathHint } from './routing-hints.ts'
import type { ApiHandler, ApiRequest } from './request-context.ts'
import type { Operation } from '../http/openapi.ts'
import type { Refusal } from '../http/errors.ts'

/**
 * 404 with the calls that the client probably meant.
 * @param refuse makes the answer, which is a page for a browser
 */
export function notFound(
  served: readonly Operation[],
  refuse: (req: ApiRequest, detail: string) => Refusal,
): ApiHandler {
  return (req) => {
    throw refuse(req, unknownPathHint(req.method, req.path, served))
  }
}
