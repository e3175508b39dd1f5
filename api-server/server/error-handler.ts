import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express'
import { answerFor } from '../http/errors.ts'
import { reply } from './reply.ts'
import { contextOf } from './request-context.ts'

/** The one place where what was thrown becomes an answer, and a line in the log if it was ours. */
export function errorHandler(): ErrorRequestHandler {
  // Express tells error handlers from others by their four parameters.
  return async (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const { answer, log } = answerFor(error)
    if (log !== null) contextOf(request).log[log]('request failed', { error })
    if (response.headersSent) response.destroy()
    else await reply(response, answer)
  }
}
