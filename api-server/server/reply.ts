import { sendStream } from '../http/send-stream.ts'
import { answerFor } from '../http/errors.ts'
import { contextOf } from './request-context.ts'
import type { Response, ErrorRequestHandler, NextFunction, Request } from 'express'
import type { Answer } from '../http/errors.ts'
import type { StreamGuard } from '../http/send-stream.ts'

/** Resolves once the answer was passed to the network, or the client has disconnected. */
export async function reply(
  response: Response,
  answer: Answer,
  guard?: StreamGuard,
): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    response.once('finish', resolve)
    response.once('close', resolve)
    if (response.destroyed) resolve()
  })
  void gone.then(answer.release)
  response.status(answer.status)
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.stream !== undefined) {
    if (guard === undefined) throw new Error('a streamed answer needs a guard')
    await sendStream(response, answer.stream, guard)
    return gone
  }
  if (answer.text !== undefined) response.send(answer.text)
  else if (answer.body === undefined) response.end()
  else response.json(answer.body)
  return gone
}

/** Converts thrown errors to answers, and logs errors of the service. */
export function errorHandler(): ErrorRequestHandler {
  // Express recognises error handlers by their four parameters.
  return async (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const { answer, log } = answerFor(error)
    if (log !== null) contextOf(request).log[log]('request failed', { error })
    if (response.headersSent) response.destroy()
    else await reply(response, answer)
  }
}
