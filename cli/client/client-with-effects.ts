import { followAccount, followEvents, followLogs } from './follow.ts'
import { createOperations } from './operations.ts'
import { createSend, addressProblem } from './send.ts'
import { hasEnded, isSettled, pollUntil } from './wait.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type {
  AccountEvent,
  CommandAccepted,
  CommandEvent,
  CommandStatusRecord,
  FileRecord,
  RunChainedFfmpegCommandsRequest,
  RunFfmpegCommandRequest,
} from '../../common/openapi/openapi-types.ts'
import type { Operations } from './operations.ts'
import type { AccountOptions, LogOptions } from './follow.ts'
import type { CallOptions, Retry } from './send.ts'
import type { WaitOptions } from './wait.ts'

/** One method per call of the API, named by its operationId, and methods that combine calls. */
export interface Client extends Omit<Operations, 'getCommandEvents' | 'getEvents'> {
  /** A command or a chain. Resolves once the service has stored it. */
  submit(submission: Submission, options?: CallOptions): Promise<CommandAccepted>
  /** The present state, then every change, until the command has ended. */
  getCommandEvents(commandId: string, options?: CallOptions): AsyncIterable<CommandEvent>
  /**
   * The states of all commands that have not ended, then every change of any command of the account,
   * until the signal aborts. `onConnect` is called when the stream begins and after each reconnect,
   * `onFile` with the states of files, which are asked for with it.
   */
  getEvents(options?: AccountOptions): AsyncIterable<AccountEvent>
  /** The log of `getCommandLogs` as FFmpeg writes it, until the command has ended. */
  followLogs(commandId: string, options?: CallOptions & LogOptions): AsyncIterable<string>
  /**
   * Polls until the command has ended, and returns its record, failed or not. An outage of the
   * service does not end the wait, the signal does.
   */
  waitFor(
    commandId: string,
    options?: WaitOptions<CommandStatusRecord>,
  ): Promise<CommandStatusRecord>
  /** The same for a file: until it is STORED or FAILED. */
  waitForFile(fileId: string, options?: WaitOptions<FileRecord>): Promise<FileRecord>
}

export type SingleSubmission = RunFfmpegCommandRequest
export type Submission = SingleSubmission | RunChainedFfmpegCommandsRequest

export interface ClientOptions {
  /** Base address of the service, without `/v1`. */
  readonly url: string
  /** Not needed for registration and activation of accounts. */
  readonly apiKey?: string
  /** Names of query parameters that the service does not have and ignored: it may be of an earlier release. */
  readonly onIgnoredParameters?: (names: readonly string[]) => void
  /** Called before the wait for another attempt, such as while submissions are paused. */
  readonly onRetry?: (retry: Retry) => void
  readonly fetch?: typeof fetch
  readonly effects?: Pick<Effects, 'clock' | 'random' | 'newId'>
}

/** Programs without Node.js give all effects; `createClient` has those of Node.js. */
export type CompleteOptions = ClientOptions & Required<Pick<ClientOptions, 'fetch' | 'effects'>>

/** Programs in JavaScript may give no options. @throws TypeError that names what is missing */
export function requireAddress(options: Partial<ClientOptions> | undefined): void {
  if (typeof options?.url === 'string' && options.url !== '') return
  throw new TypeError(
    "createClient needs the address of the service: createClient({ url: 'https://HOST', apiKey: 'KEY' })",
  )
}

/**
 * Throws if `url` is missing, is not an HTTP or HTTPS URL, or ends in `/v1`.
 *
 * All methods reject with `ApiError` if the service refuses the request, and with `NoAnswerError` if
 * it cannot be reached. Transient errors (429, 503, connection loss) are retried with backoff first.
 * Retries have no second effect: reads and deletions are idempotent, and the other calls send an
 * Idempotency-Key.
 */
export function createClientWith(options: CompleteOptions): Client {
  const { url, apiKey = null, effects, onIgnoredParameters = null, onRetry = null } = options
  requireAddress(options)
  const problem = addressProblem(url)
  if (problem !== null) throw new Error(problem)
  const send = createSend({
    url,
    apiKey,
    fetch: options.fetch,
    effects,
    onIgnoredParameters,
    onRetry,
  })
  const { clock } = effects
  const calls = createOperations(send)
  return {
    ...calls,
    submit: (submission, how) =>
      'ffmpeg_commands' in submission
        ? calls.runChainedFfmpegCommands(submission, how)
        : calls.runFfmpegCommand(submission, how),
    getCommandEvents: (commandId, how) => followEvents({ send, clock }, commandId, how),
    getEvents: (how) => followAccount({ send, clock }, how),
    followLogs: (commandId, how) => followLogs({ send, clock }, commandId, how),
    waitFor: (commandId, how = {}) =>
      pollUntil(clock, () => calls.getCommand(commandId, {}, signalOf(how)), hasEnded, how),
    waitForFile: (fileId, how = {}) =>
      pollUntil(clock, () => calls.getFile(fileId, {}, signalOf(how)), isSettled, how),
  }
}

function signalOf({ signal }: { readonly signal?: AbortSignal }): CallOptions {
  return signal === undefined ? {} : { signal }
}

export type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
