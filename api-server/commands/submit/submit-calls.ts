import { endpoint } from '../../http/endpoint.ts'
import { acceptCommand } from './accept-command.ts'
import { rememberAccepted, reviewSource } from './accepted-texts.ts'
import { submissionFrom, chainSubmissionFrom } from './submission.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { AcceptDeps } from './accept-command.ts'

/** `POST /v1/run-ffmpeg-command`: answers once the command is stored. */
export function runFfmpegCommand(deps: AcceptDeps): Endpoint {
  const review = rememberAccepted(reviewSource)
  return endpoint('runFfmpegCommand', ({ body }, context) =>
    acceptCommand(deps, (plan) => submissionFrom(body, plan, review), context),
  )
}

/** `POST /v1/run-chained-ffmpeg-commands`: up to 10 commands in one working directory. */
export function runChainedFfmpegCommands(deps: AcceptDeps): Endpoint {
  const review = rememberAccepted(reviewSource)
  return endpoint('runChainedFfmpegCommands', ({ body }, context) =>
    acceptCommand(deps, (plan) => chainSubmissionFrom(body, plan, review), context),
  )
}
