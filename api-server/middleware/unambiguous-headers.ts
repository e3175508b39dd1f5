import { problemBody } from '../http/refusal-codes.ts'
import type { ApiHandler, ApiRequest } from './request-context.ts'
import type { SendAnswer } from './send-answer.ts'

/**
 * Refuses what a proxy in front may read as another request than this server does: two Host headers (RFC 9112, section
 * 3.2) and a transfer coding besides `chunked` (section 6.1), which Node's parser accepts.
 */
export function unambiguousHeaders(send: SendAnswer): ApiHandler {
  return (req, res, next) => {
    const detail = ambiguityOf(req)
    if (detail === null) return next()
    // Bytes behind these headers may not be the body that the client means.
    res.setHeader('Connection', 'close')
    return send(res, { status: 400, body: problemBody(400, detail, 'ambiguous_headers') })
  }
}

function ambiguityOf({ headers, rawHeaders }: ApiRequest): string | null {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) return 'Send one Host header'
  const coding = headers['transfer-encoding']
  if (coding === undefined || /^chunked$/i.test(coding.trim())) return null
  return `Send Transfer-Encoding: chunked or a Content-Length; '${coding.slice(0, 40)}' is not read`
}
