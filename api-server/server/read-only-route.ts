import { refusal } from '../http/errors.ts'
import { contextOf } from './request-context.ts'
import type { Request, RequestHandler, Response, Router } from 'express'

/** A page or probe: GET and HEAD, and 405 for the rest. */
export function readOnlyRoute(
  router: Router,
  path: string,
  answer: (request: Request, response: Response) => void | Promise<void>,
): void {
  const named: RequestHandler = (request, _response, next) => {
    contextOf(request).route = path
    next()
  }
  router
    .route(path)
    .all(named)
    .get(answer)
    .all(() => {
      throw refusal(405, `Method not allowed: use GET ${path}`, { Allow: 'GET, HEAD' })
    })
}
