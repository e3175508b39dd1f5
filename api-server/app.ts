import express from 'express'
import { accountRouter } from './routers/account-router.ts'
import { activationPage } from './accounts/registration/activation-page.ts'
import { createCommandRecords } from './commands/read/command-records.ts'
import { createQueuePlaces } from './commands/read/queue-places.ts'
import { commandsRouter } from './routers/commands-router.ts'
import { consolePages } from './console/console-pages.ts'
import { docsPages } from './docs/docs-pages.ts'
import { filesRouter } from './routers/files-router.ts'
import { createQueueRoom } from './limits/queue-room.ts'
import { createRateLimits } from './limits/rate-limits.ts'
import { landingPage } from './pages/landing-page.ts'
import { missingPage } from './pages/missing-page.ts'
import { createAuthenticate } from './server/authenticate.ts'
import { createCalls } from './middleware/call.ts'
import { cors } from './middleware/cors.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { health } from './pages/health.ts'
import { whileServing } from './middleware/while-serving.ts'
import { notFound } from './middleware/not-found.ts'
import { pagesRouter } from './middleware/page.ts'
import { requestContext } from './middleware/request-context.ts'
import { createSendAnswer } from './middleware/send-answer.ts'
import { unambiguousHeaders } from './middleware/unambiguous-headers.ts'
import { webhookRouter } from './routers/webhook-router.ts'
import type { Express } from 'express'
import type { AppDeps, Shared } from './routers/app-deps.ts'
import type { Calls } from './middleware/call.ts'
import type { Page } from './middleware/page.ts'
import type { SendAnswer } from './middleware/send-answer.ts'

/** The REST API. A request passes the middleware from top to bottom. */
export function createApp(deps: AppDeps): Express {
  const { effects, logger, web } = deps
  const send = createSendAnswer({ effects, metrics: deps.streams.metrics })
  const calls = callsOf(deps, send)
  const shared = sharedOf(deps)

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('trust proxy', web.trustedProxies)

  app.use(
    requestContext({ effects, logger, metrics: web.metrics, serveUnderApi: web.serveUnderApi }),
  )
  app.use(unambiguousHeaders(send))
  app.use(cors(web.corsOrigins, send))
  app.use(whileServing(web.readiness, send))
  // The order follows the traffic: a request is compared with each path in front of its own.
  app.use(commandsRouter(calls, deps, shared))
  app.use(filesRouter(calls, deps, shared))
  app.use(accountRouter(calls, deps))
  app.use(webhookRouter(calls, deps))
  app.use(pagesRouter(pagesOf(deps), send))
  app.use(notFound(calls.served, missingPage))
  app.use(errorHandler())
  return app
}

function callsOf({ effects, storage, limits, web }: AppDeps, send: SendAnswer): Calls {
  const { store } = storage
  const { clock } = effects
  return createCalls({
    authenticate: createAuthenticate({ store, clock, metrics: web.unknownKeyMetrics }),
    rates: createRateLimits({ store, clock }),
    plans: limits.plans,
    addressRules: limits.addressRules,
    store,
    effects,
    send,
  })
}

function sharedOf({ effects: { clock }, storage, limits: { pauses }, web }: AppDeps): Shared {
  const { store, fileUrls, pollCacheMs } = storage
  return {
    records: createCommandRecords({
      store,
      fileUrls,
      clock,
      queuePlaceOf: createQueuePlaces({ store }),
      pauses,
      rememberMs: pollCacheMs,
    }),
    queueRoom: createQueueRoom({ store, clock, metrics: web.metrics }),
  }
}

/** The pages and probes; they need no key. */
function pagesOf({ effects: { clock }, storage: { store }, accounts, web }: AppDeps): Page[] {
  return [
    ...health({ store, clock, readiness: web.readiness }),
    landingPage({ hasConsole: web.console !== null }),
    ...(web.console === null ? [] : consolePages(web.console)),
    ...docsPages(web.docsFolder),
    ...(accounts.registration === null ? [] : [activationPage()]),
  ]
}
