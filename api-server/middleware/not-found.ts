import { missingPage } from '../pages/missing-page.ts'
import { unknownPathHint } from './routing-hints.ts'
import type { ApiHandler } from './request-context.ts'
import type { Operation } from '../http/openapi.ts'

/** 404 with the calls that the client probably meant; a page for a browser. */
export function notFound(served: readonly Operation[]): ApiHandler {
  return (req) => {
    throw missingPage(req, unknownPathHint(req.method, req.path, served))
  }
}
