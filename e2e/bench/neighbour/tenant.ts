import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '../../../cli/client/client.ts'
import { eventually } from '../../steps/eventually.ts'
import { listenAt } from '../../../testing/support/http-server.ts'
import { tinyCommand } from '../cluster/tiny-command.ts'

/** Both from the answer to the submission, in ms. */
export interface Served {
  /** Until the event of SUCCESS has come. */
  readonly success: number
  /** Until its webhook has come. */
  readonly webhook: number
}

/** An account that sends a tiny command at fixed times, whether or not the one before has ended. */
export interface Tenant {
  run(count: number): Promise<Served[]>
  /** Answers of 429 to any of its requests. */
  refused(): number
  /** Commands that did not end as SUCCESS, and calls that failed. */
  failures(): number
  close(): Promise<void>
}

/** @param service its account, the time between two commands and an address that API servers reach */
export async function startTenant(service: {
  readonly url: string
  readonly apiKey: string
  readonly address: string
  readonly everyMs: number
}): Promise<Tenant> {
  const arrivedMs = new Map<string, number>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { data } = JSON.parse(body) as { data: { command_id: string } }
      arrivedMs.set(data.command_id, performance.now())
      response.writeHead(204).end()
    })
  })
  const receiver = await listenAt(service.address, server)
  let refused = 0
  let failures = 0
  const countingFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    if (response.status === 429) refused += 1
    return response
  }
  const client = createClient({ ...service, fetch: countingFetch })

  async function runOne(): Promise<Served> {
    const webhook_url = `${receiver.url}/hook`
    const { command_id } = await client.submit({ ...tinyCommand, webhook_url })
    const answered = performance.now()
    for await (const { status, error_status } of client.getCommandEvents(command_id)) {
      if (status === 'FAILED') throw new Error(`command ${command_id}: ${error_status ?? ''}`)
    }
    const success = performance.now() - answered
    const arrived = await eventually(`the webhook of ${command_id}`, async () =>
      arrivedMs.get(command_id),
    )
    return { success, webhook: arrived - answered }
  }

  return {
    async run(count) {
      const begun = performance.now()
      const running: Promise<Served[]>[] = []
      for (let index = 0; index < count; index += 1) {
        await delay(Math.max(0, begun + index * service.everyMs - performance.now()))
        const one = runOne().then(
          (served) => [served],
          (error: unknown) => {
            failures += 1
            console.error(error)
            return []
          },
        )
        running.push(one)
      }
      return (await Promise.all(running)).flat()
    },
    refused: () => refused,
    failures: () => failures,
    close: () => receiver.close(),
  }
}
