import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenAt } from '../../testing/support/http-server.ts'
import { createPostWebhook } from './post-webhook.ts'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock } from '../../common/runtime/effects.ts'
import type { PostWebhook } from './post-webhook.ts'

/** Sends to receivers on this machine, by address or as `NAME.example`. */
export function loopbackWebhooks(clock: Clock): PostWebhook {
  const resolve = async (host: string) => (host.endsWith('.example') ? ['127.0.0.1'] : [])
  return createPostWebhook({
    network: { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] },
    resolve,
    resolveOwn: resolve,
    clock,
  })
}

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface TestReceiver {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Complete requests in order of arrival. */
  readonly received: Received[]
  /** Resolves when `count` requests have arrived. */
  readonly arrived: (count: number) => Promise<void>
  close(): Promise<void>
}

export type Answer = (response: ServerResponse, request: Received) => unknown

export const answering =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status).end()

/** @param answers one for each request in turn, the last one for all that follow */
export async function startReceiver(...answers: readonly Answer[]): Promise<TestReceiver> {
  const received: Received[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const one = { headers: request.headers, body }
      received.push(one)
      const answer = answers[received.length - 1] ?? answers.at(-1) ?? answering(204)
      answer(response, one)
      for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    })
  })
  return {
    ...(await listenAt('127.0.0.1', server)),
    received,
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
}
