import { unavailable } from '../http/errors.ts'
import type { ApiHandler } from './request-context.ts'
import type { SendAnswer } from './send-answer.ts'

export interface Readiness {
  /** Starting: answers 503. Draining: answers, but readiness fails. */
  state: 'starting' | 'serving' | 'draining'
}

/** Refuses calls with 503 before the database can be used. Pages and probes need none. */
export function whileServing(readiness: Readiness, send: SendAnswer): ApiHandler {
  return (req, res, next) => {
    if (readiness.state === 'serving' || !/^\/v1(?:\/|$)/i.test(req.path)) return next()
    if (readiness.state === 'starting') return send(res, unavailable)
    // The client's next connection reaches another replica.
    res.setHeader('Connection', 'close')
    return next()
  }
}
