import { answerFor } from '../http/errors.ts'
import { writeAnswer } from './send-answer.ts'
import type { ErrorRequestHandler } from 'express'
import type { Locals, Params } from './request-context.ts'

/** Converts what any middleware threw to an answer, and logs errors of the service. */
export function errorHandler(): ErrorRequestHandler<Params, unknown, unknown, unknown, Locals> {
  // Express takes a handler for one of errors by its four parameters.
  return (error: unknown, _req, res, _next) => {
    const { answer, log } = answerFor(error)
    if (log !== null) res.locals.log[log]('request failed', { error })
    if (res.headersSent) res.destroy()
    else writeAnswer(res, answer)
  }
}
