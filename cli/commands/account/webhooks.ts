import { timeTo } from '../../existing/age.ts'
import { whichCommand } from '../../existing/which-command.ts'
import { receiveWebhooks } from './receive-webhooks.ts'
import { cliCommand } from '../../terminal/cli-command.ts'
import { listLimit, wholeNumber } from '../../terminal/usage-error.ts'
import type {
  PutWebhookRequest,
  Webhook,
  WebhookDelivery,
} from '../../../common/openapi/openapi-types.ts'
import type { Shell } from '../../terminal/shell.ts'

const set = cliCommand({
  summary: 'where events go',
  example: 'webhooks set https://app.example/hook',
  args: ['<URL>'],
  options: {
    '--event <EVENT>': {
      text: 'file.stored, file.failed or command.finished, which is sent if this is left out',
      repeated: true,
    },
    '--rotate-secret': 'make a new secret',
    '--move-pending': 'send pending events to the new URL; they end otherwise',
  },
  async run({ URL: url, event, rotateSecret, movePending }, shell) {
    const request = {
      url,
      ...(event.length === 0 ? {} : { events: event }),
      ...(rotateSecret ? { rotate_secret: true } : {}),
      ...(movePending ? { move_pending: true } : {}),
    } as PutWebhookRequest
    shell.print(textOf(await shell.client().putWebhook(request, { signal: shell.signal })))
    return 0
  },
})

const remove = cliCommand({
  summary: 'no more events are sent; pending ones end',
  example: 'webhooks delete',
  async run(_, shell) {
    await shell.client().deleteWebhook({ signal: shell.signal })
    return 0
  },
})

/** Not shown with the rest, which may be on a shared screen. */
const secret = cliCommand({
  summary: 'the secret with which your receiver verifies signatures',
  example: 'webhooks secret',
  async run(_, shell) {
    shell.print((await shell.client().getWebhook({ signal: shell.signal })).secret)
    return 0
  },
})

const test = cliCommand({
  summary: 'send a sample, and print the answer',
  about: 'Sends a sample, and prints the answer. Exit code 1 where the receiver did not take it.',
  example: 'webhooks test',
  async run(_, shell) {
    const { ok, response_status, duration_ms, error } = await shell
      .client()
      .testWebhook({ signal: shell.signal })
    const answer = response_status === null ? 'no answer' : `answered ${response_status}`
    shell.print([`${answer} in ${duration_ms} ms`, ...(error === null ? [] : [error])].join(': '))
    return ok ? 0 : 1
  },
})

const list = cliCommand({
  summary: 'what was sent, and the answers',
  example: 'webhooks list --command COMMAND_ID',
  options: {
    '--event <EVENT>': 'of this event alone',
    '--command <COMMAND_ID>': 'about this command alone',
    '--limit <NUMBER>': { text: 'the number of deliveries', default: '20' },
    '--json': "print the service's whole answer",
  },
  async run({ event, command, limit, json }, shell) {
    const query = {
      limit: listLimit(limit),
      ...(event === undefined ? {} : { event }),
      ...(command === undefined ? {} : { command_id: await whichCommand(shell, command, false) }),
    } as Parameters<ReturnType<Shell['client']>['listWebhookDeliveries']>[0]
    const found = await shell.client().listWebhookDeliveries(query, { signal: shell.signal })
    if (json) shell.print(JSON.stringify(found, null, 2))
    else for (const delivery of found) shell.print(lineOf(delivery, shell.clock.wall()))
    return 0
  },
})

const redeliver = cliCommand({
  summary: 'send an event once more, with the same id and body',
  example: 'webhooks redeliver WEBHOOK_ID',
  args: ['<WEBHOOK_ID>'],
  async run({ WEBHOOK_ID }, shell) {
    const { signal } = shell
    const delivery = await shell.client().redeliverWebhook(WEBHOOK_ID, { signal })
    shell.print(lineOf(delivery, shell.clock.wall()))
    return 0
  },
})

const listen = cliCommand({
  summary: 'print events that arrive here, with their signature verified',
  about:
    'Prints the events that arrive at this machine, and refuses those whose signature is wrong.',
  example: 'webhooks listen --port 8000',
  options: {
    '--port <NUMBER>': { text: 'where to listen', default: '8000' },
    '--host <ADDRESS>': { text: 'the address of this machine', default: '127.0.0.1' },
    '--json': 'print each event whole',
  },
  async run({ port, host, json }, shell) {
    const { secret: key } = await shell.client().getWebhook({ signal: shell.signal })
    await receiveWebhooks({ host, port: wholeNumber('port', port), secret: key, json }, shell)
    return 0
  },
})

export const webhooks = cliCommand({
  summary: 'where events go; set, test, list, redeliver, listen',
  about:
    "Prints the receiver of the account's events: command.finished, file.stored and file.failed.",
  example: 'webhooks',
  options: { '--json': "print the service's whole answer" },
  verbs: { set, test, list, redeliver, secret, listen, delete: remove },
  async run({ json }, shell) {
    const found = await shell.client().getWebhook({ signal: shell.signal })
    shell.print(json ? JSON.stringify(found, null, 2) : textOf(found))
    return 0
  },
})

function textOf({ url, events }: Webhook): string {
  if (url === null) return "no webhook is set: 'cloud-ffmpeg webhooks set URL' sets it"
  return `${url}\nevents  ${events.join(', ')}\nsecret  'cloud-ffmpeg webhooks secret' prints it`
}

/** Id, state, event, the last answer and what it is about. */
function lineOf(delivery: WebhookDelivery, now: Date): string {
  const { webhook_id, status, event, attempts, next_attempt_at } = delivery
  const last = attempts.at(-1)
  const answer = last === undefined ? 'not sent yet' : String(last.response_status ?? last.error)
  const next = next_attempt_at === null ? [] : [`next in ${timeTo(next_attempt_at, now)}`]
  const tries = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`
  const about = delivery.command_id ?? delivery.file_id ?? ''
  return [webhook_id, status.padEnd(9), event.padEnd(16), answer, tries, about, ...next]
    .filter((part) => part !== '')
    .join('  ')
}
