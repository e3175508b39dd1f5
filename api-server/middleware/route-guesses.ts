import type { OperationId } from '../http/openapi.ts'

interface Guess {
  readonly method?: string
  readonly path: RegExp
  /** The calls that were probably meant; the hint names those that this installation serves. */
  readonly meant: readonly OperationId[]
}

/** Usual wrong paths and methods. The first match counts. */
const guesses: readonly Guess[] = [
  {
    method: 'DELETE',
    path: /^\/v1\/(commands?|jobs?|tasks?)\/[^/]+$/,
    meant: ['cancelCommand', 'deleteCommandFiles'],
  },
  {
    path: /^\/v1\/(commands?|jobs?|tasks?)\/[^/]+\/(cancel|stop|abort)$/,
    meant: ['cancelCommand'],
  },
  { path: /^\/v1\/(commands?|jobs?|tasks?)\/[^/]+\/logs?$/, meant: ['getCommandLogs'] },
  {
    path: /^\/v1\/(commands?|jobs?|tasks?)\/[^/]+\/(events?|stream)$/,
    meant: ['getCommandEvents'],
  },
  { path: /^\/v1\/commands?\/[^/]+(\/(status|files|outputs?|result))?$/, meant: ['getCommand'] },
  { path: /^\/v1\/(jobs?|tasks?|status)\/[^/]+$/, meant: ['getCommand'] },
  { method: 'POST', path: /^\/v1\/(commands?|jobs?|tasks?)$/, meant: ['runFfmpegCommand'] },
  { path: /^\/v1\/(jobs?|tasks?|commands?|list)$/, meant: ['listCommands'] },
  { path: /^\/v1\/(run-)?chain(ed)?\b/, meant: ['runChainedFfmpegCommands'] },
  {
    path: /^\/v1\/(run|execute|ffmpeg|submit|transcode|convert)/,
    meant: ['runFfmpegCommand'],
  },
  { method: 'GET', path: /^\/v1\/files\/(list|all)$/, meant: ['listFiles'] },
  {
    method: 'POST',
    path: /^\/v1\/files?(\/(upload|create|new))?$/,
    meant: ['storeFile', 'initUpload'],
  },
  { path: /^\/v1\/(upload|uploads)(\/init)?$/, meant: ['initUpload', 'storeFile'] },
  { path: /^\/v1\/files?\/[^/]+\/complete$/, meant: ['completeUpload'] },
  { path: /^\/v1\/files?\/[^/]+\/abort$/, meant: ['abortUpload'] },
  { method: 'DELETE', path: /^\/v1\/files?$/, meant: ['bulkDeleteFiles'] },
  { path: /^\/v1\/files?\/delete$/, meant: ['bulkDeleteFiles'] },
  { path: /^\/v1\/files?\/[^/]+(\/(download|url|status))?$/, meant: ['getFile'] },
  { path: /^\/v1\/files?$/, meant: ['listFiles'] },
  { path: /^\/v1\/webhooks?\/deliver(y|ies)$/, meant: ['listWebhookDeliveries'] },
  { method: 'POST', path: /^\/v1\/webhooks?$/, meant: ['putWebhook'] },
  { path: /^\/v1\/webhooks?$/, meant: ['getWebhook'] },
  { path: /^\/v1\/(validate|check|dry-run)\b/, meant: ['validateFfmpegCommand'] },
  { method: 'POST', path: /^\/v1\/(register|signup|sign-up|account)$/, meant: ['registerAccount'] },
  { path: /^\/v1\/(account|me|quota|quotas|limits?|plan)$/, meant: ['getUsage'] },
]

/** The calls that a request for this unknown path probably meant. */
export function guessedCalls(method: string, path: string): readonly OperationId[] {
  const guess = guesses.find(
    (one) => (one.method === undefined || one.method === method) && one.path.test(path),
  )
  return guess?.meant ?? []
}
