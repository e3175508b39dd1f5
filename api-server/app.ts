import express from 'express'
import { getCommand } from './commands/get-command.ts'
import { listCommands } from './commands/list-commands.ts'
import { runFfmpegCommand } from './commands/run-ffmpeg-command.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { errorHandler } from './http/error-handler.ts'
import { health, whileServing } from './http/health.ts'
import { requestContext } from './http/request-context.ts'
import { serveEndpoints } from './http/serve-endpoints.ts'
import type { Express } from 'express'
import type { Effects } from '../common/effects.ts'
import type { Logger } from '../common/logger.ts'
import type { Plans } from '../common/plans.ts'
import type { Store } from '../common/store/store.ts'
import type { FileUrls } from './files/file-urls.ts'
import type { Submit } from './commands/submit.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { Readiness } from './http/health.ts'
import type { HttpMetrics } from './http/metrics.ts'

export interface AppDeps {
  readonly store: Store
  readonly submit: Submit
  readonly fileUrls: FileUrls
  readonly plans: Plans
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: HttpMetrics
  readonly readiness: Readiness
  /** Serve every path below `/api` too. */
  readonly serveUnderApi: boolean
}

/** The REST API: what a request passes, from top to bottom. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  const authenticate = createAuthenticate({ store: deps.store, clock: deps.effects.clock })
  const api = serveEndpoints({ ...deps, authenticate, endpoints: endpoints(deps) })

  app.use(requestContext({ ...deps }))
  app.use(health(deps))
  app.use(whileServing(deps.readiness))
  if (deps.serveUnderApi) app.use('/api', api)
  app.use(api)
  app.use(errorHandler())
  return app
}

function endpoints(deps: AppDeps): Endpoint[] {
  return [runFfmpegCommand(deps), getCommand(deps), listCommands(deps)]
}
