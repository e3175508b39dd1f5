import { transferExit } from '../../../common/domain/failures.ts'
import type {
  Assignment,
  CompleteRequest,
  FfmpegContainerLost,
  PartsGrant,
  PartsRequest,
  ProgressAnswer,
  ProgressReport,
  Result,
  UploadGrants,
  UploadRequest,
  Verdict,
} from '../../../common/gateway/messages.ts'
import { AttemptEnded, verdictExit } from '../runtime/attempt-ended.ts'
import { parseAssignment } from './parse-assignment.ts'
import {
  parseCompleteAnswer,
  parseFinal,
  parsePartsGrant,
  parseProgressAnswer,
  parseUploadGrants,
  parseVerdict,
} from './parse-answers.ts'
import type { Answer, Ask } from './request.ts'

/**
 * The runner gateway. Every call but `progress` is retried until it is answered or the patience is
 * used up; each throws AttemptEnded if the answer leaves this attempt nothing to do.
 */
export interface Gateway {
  assignment(signal: AbortSignal): Promise<Assignment>
  /** One try: the next report repeats the contents. null = no answer. */
  progress(report: ProgressReport): Promise<ProgressAnswer | null>
  uploads(request: UploadRequest, signal: AbortSignal): Promise<UploadGrants>
  parts(request: PartsRequest, signal: AbortSignal): Promise<PartsGrant>
  /** @returns the object's ETag without quotes; null from a gateway of an earlier release */
  complete(request: CompleteRequest, signal: AbortSignal): Promise<string | null>
  result(result: Result): Promise<Verdict>
  ffmpegContainerLost(report: FfmpegContainerLost): Promise<Verdict>
}

export function createGateway(ask: Ask, patienceMs: number): Gateway {
  async function post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
    return accepted(
      path,
      await ask({ method: 'POST', path, body, patienceMs, ...(signal ? { signal } : {}) }),
    )
  }
  async function report(path: string, body: Result | FfmpegContainerLost): Promise<Verdict> {
    return verdict(path, body, await ask({ method: 'POST', path, body, patienceMs }))
  }
  /** A log above the gateway's limit must not cost the outcome. */
  async function verdict(path: string, body: Result | FfmpegContainerLost, answer: Answer) {
    if (answer.status !== 413) return parseVerdict(accepted(path, answer))
    return parseVerdict(await post(path, { ...body, logs: [] }))
  }
  return {
    async assignment(signal) {
      const path = '/v1/assignment'
      return parseAssignment(accepted(path, await ask({ method: 'GET', path, patienceMs, signal })))
    },
    async progress(body) {
      const path = '/v1/progress'
      try {
        return parseProgressAnswer(
          accepted(path, await ask({ method: 'POST', path, body, patienceMs: 0 })),
        )
      } catch (error) {
        if (isUnreachable(error)) return null
        throw error
      }
    },
    uploads: async (body, signal) => parseUploadGrants(await post('/v1/uploads', body, signal)),
    parts: async (body, signal) => parsePartsGrant(await post('/v1/uploads/parts', body, signal)),
    complete: async (body, signal) =>
      parseCompleteAnswer(await post('/v1/uploads/complete', body, signal)),
    async result(body) {
      const path = '/v1/result'
      const answer = await ask({ method: 'POST', path, body, patienceMs })
      if (answer.status !== 422 || body.outcome.status === 'FAILED')
        return verdict(path, body, answer)
      // A gateway of an earlier release refuses the fields that it does not know.
      const { status, files } = body.outcome
      return report(path, { ...body, outcome: { status, files } })
    },
    ffmpegContainerLost: (body) => report('/v1/ffmpeg-container-lost', body),
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof AttemptEnded && error.exitCode === transferExit.gatewayUnreachable
}

/** The body, unless the answer leaves this attempt nothing to do. */
export function accepted(
  path: string,
  { status, body }: { status: number; body: unknown },
): unknown {
  if (status === 200 || status === 204) return body
  if (status === 409) {
    throw new AttemptEnded(transferExit.superseded, 'another attempt holds the command')
  }
  if (status === 410) {
    const final = parseFinal(body)
    throw new AttemptEnded(
      verdictExit(final.status, final.errorStatus),
      `the command is already final: ${final.errorStatus ?? final.status}`,
    )
  }
  throw new AttemptEnded(transferExit.unexpected, `${path}: the gateway answered ${String(status)}`)
}
