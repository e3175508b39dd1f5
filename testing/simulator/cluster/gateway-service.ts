import { sleep } from '../../../common/runtime/effects.ts'
import { transferExit } from '../../../common/domain/failures.ts'
import type { GatewayResponse } from '../../../operator/gateway/calls/answers.ts'
import { AttemptEnded } from '../../../runner-image/transfer/runtime/attempt-ended.ts'
import { backoffMs } from '../../../runner-image/transfer/runtime/backoff.ts'
import type { Ask, Call } from '../../../runner-image/transfer/gateway/request.ts'
import type { Host } from '../processes/host.ts'
import type { OperatorProgram, RunnerRequest } from '../processes/operator-process.ts'
import { podToken } from '../world/known-processes.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import type { VirtualClock } from '../../support/virtual-clock.ts'
import type { Trace } from '../world/trace.ts'

/** The Service in front of the operators, and the network between it and the runners. */
export interface GatewayService {
  readonly ask: (process: SimulatedProcess, pod: { name: string; uid: string }) => Ask
  /** The replies to the next requests get lost: their effects have happened. */
  loseReplies(count: number): void
  /** The connections of requests that wait break. */
  cutPolls(): boolean
}

const answerMs = 30_000

export function createGatewayService(deps: {
  clock: VirtualClock
  random: Random
  trace: Trace
  operators: () => readonly Host<OperatorProgram>[]
}): GatewayService {
  const { clock, random, trace } = deps
  let repliesToLose = 0
  const polls = new Set<AbortController>()

  return {
    cutPolls() {
      for (const poll of polls) poll.abort(new Error('connection reset'))
      return polls.size > 0
    },
    loseReplies(count) {
      repliesToLose += count
    },
    ask: (process, pod) => (call) =>
      persist(process, call, (closed) => exchange(process, pod, call, closed)),
  }

  async function exchange(
    process: SimulatedProcess,
    pod: { name: string; uid: string },
    { method, path, body, replica = null }: Call,
    closed: AbortController,
  ): Promise<GatewayResponse> {
    await sleep(clock, random.between(0.5, 5))
    const serving = deps
      .operators()
      .flatMap((host) => host.running() ?? [])
      .filter(({ program }) => program.isServing())
      .filter((each) => replica === null || each.process.name === replica)
    if (serving.length === 0) throw new Error('connection refused')
    const operator = random.pick(serving)
    const request: RunnerRequest = {
      method,
      path,
      authorization: podToken(pod),
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
    }
    const answer = await untilClosed(operator.program.handle(request, closed.signal), closed)
    trace.add(process.name, `${method} ${path} -> ${answer.status} by ${operator.process.name}`)
    if (repliesToLose > 0) {
      repliesToLose -= 1
      throw new Error('connection reset')
    }
    return answer
  }

  /** Same as the runner's own client over HTTP. */
  async function persist(
    process: SimulatedProcess,
    call: Call,
    exchangeOnce: (closed: AbortController) => Promise<GatewayResponse>,
  ): Promise<{ status: number; body: unknown }> {
    const giveUpAt = clock.monotonicMs() + call.patienceMs
    for (let failures = 1; ; failures += 1) {
      call.signal?.throwIfAborted()
      const answer = await process
        .reach(() => inTime(exchangeOnce, process, call))
        .catch(() => null)
      call.signal?.throwIfAborted()
      const status = answer?.status ?? 503
      if (answer !== null && status !== 401 && status < 500) {
        return { status, body: answer.body ?? null }
      }
      const waitMs = backoffMs(failures, random.next(), 1_000 * (answer?.retryAfterSeconds ?? 0))
      if (clock.monotonicMs() + waitMs > giveUpAt) {
        throw new AttemptEnded(transferExit.gatewayUnreachable, 'the gateway could not be reached')
      }
      await sleep(process.clock, waitMs, call.signal)
    }
  }

  /** A caller that gives up, or has died, closes its connection. */
  function inTime<T>(
    exchangeOnce: (closed: AbortController) => Promise<T>,
    process: SimulatedProcess,
    { signal, answerMs: longestMs = answerMs, path }: Call,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const closed = new AbortController()
      const give = (): void => {
        closed.abort(new Error('closed by the caller'))
        reject(new Error('no answer in time'))
      }
      const cancel = process.clock.schedule(longestMs, give)
      signal?.addEventListener('abort', give, { once: true })
      process.killed.addEventListener('abort', give, { once: true })
      if (path.startsWith('/v1/assignment?')) polls.add(closed)
      exchangeOnce(closed)
        .finally(() => {
          cancel()
          polls.delete(closed)
          signal?.removeEventListener('abort', give)
          process.killed.removeEventListener('abort', give)
        })
        .then(resolve, reject)
    })
  }
}

function untilClosed<T>(answer: Promise<T>, { signal }: AbortController): Promise<T> {
  return new Promise((resolve, reject) => {
    const close = (): void => reject(new Error('connection reset'))
    if (signal.aborted) return close()
    signal.addEventListener('abort', close, { once: true })
    answer.finally(() => signal.removeEventListener('abort', close)).then(resolve, reject)
  })
}
