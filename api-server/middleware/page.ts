import { Router } from 'express'
import { refusal } from '../http/errors.ts'
import type { Answer } from '../http/errors.ts'
import type { SendAnswer } from './send-answer.ts'
import type { ApiHandler, ApiRequest } from './request-context.ts'

/** A page or a probe: GET and HEAD, without a key. */
export interface Page {
  /** Express path: `/docs/:name`. */
  readonly path: string
  readonly answer: (req: ApiRequest) => Answer | Promise<Answer>
}

export function page(path: string, answer: Page['answer']): Page {
  return { path, answer }
}

/** Serves pages, and answers other methods 405. */
export function pagesRouter(pages: readonly Page[], send: SendAnswer): Router {
  const router = Router()
  for (const { path, answer } of pages) {
    const name = path.replaceAll(/:(\w+)/g, '{$1}')
    const named: ApiHandler = (_req, res, next) => {
      res.locals.route = name
      next()
    }
    const answered: ApiHandler = async (req, res) => send(res, await answer(req))
    router
      .route(path)
      .all(named)
      .get(answered)
      .all(() => {
        throw refusal(405, `Method not allowed: use GET ${name}`, { Allow: 'GET, HEAD' })
      })
  }
  return router
}
