import { whichCommand } from '../existing/which-command.ts'
import { receiveWebhooks } from './receive-webhooks.ts'
import { exactly, parsed, unknownVerb, UsageError, wholeNumber } from '../terminal/parse.ts'
import type {
  PutWebhookRequest,
  Webhook,
  WebhookDelivery,
} from '../../common/openapi/openapi-types.ts'
import type { CliCommand, Shell } from '../terminal/shell.ts'

const verbs: Readonly<Record<string, CliCommand>> = {
  set,
  test,
  list,
  redeliver,
  secret,
  listen,
  delete: remove,
}

/** The receiver of the account's events; with a verb what is done with it. */
export async function webhooks(args: string[], shell: Shell): Promise<number> {
  const [verb, ...rest] = args
  if (verb === undefined || verb.startsWith('-')) return show(args, shell)
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (command === undefined) {
    throw new UsageError(unknownVerb('webhooks', verb, Object.keys(verbs)))
  }
  return command(rest, shell)
}

async function show(args: string[], shell: Shell): Promise<number> {
  const { values } = parsed(args, { json: { type: 'boolean' } })
  const found = await shell.client().getWebhook({ signal: shell.signal })
  shell.print(values.json ? JSON.stringify(found, null, 2) : textOf(found))
  return 0
}

async function set(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    event: { type: 'string', multiple: true },
    'rotate-secret': { type: 'boolean', default: false },
  })
  const { URL: url } = exactly(positionals, 'URL')
  const request = {
    url,
    ...(values.event === undefined ? {} : { events: values.event }),
    ...(values['rotate-secret'] ? { rotate_secret: true } : {}),
  } as PutWebhookRequest
  shell.print(textOf(await shell.client().putWebhook(request, { signal: shell.signal })))
  return 0
}

async function remove(args: string[], shell: Shell): Promise<number> {
  exactly(parsed(args, {}).positionals)
  await shell.client().deleteWebhook({ signal: shell.signal })
  return 0
}

/** Not shown with the rest, which may be on a shared screen. */
async function secret(args: string[], shell: Shell): Promise<number> {
  exactly(parsed(args, {}).positionals)
  shell.print((await shell.client().getWebhook({ signal: shell.signal })).secret)
  return 0
}

/** 1: the receiver did not take the event. */
async function test(args: string[], shell: Shell): Promise<number> {
  exactly(parsed(args, {}).positionals)
  const { ok, response_status, duration_ms, error } = await shell
    .client()
    .testWebhook({ signal: shell.signal })
  const answer = response_status === null ? 'no answer' : `answered ${response_status}`
  shell.print([`${answer} in ${duration_ms} ms`, ...(error === null ? [] : [error])].join(': '))
  return ok ? 0 : 1
}

async function list(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    event: { type: 'string' },
    command: { type: 'string' },
    limit: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  })
  exactly(positionals)
  const { event, command } = values
  const query = {
    limit: wholeNumber('limit', values.limit),
    ...(event === undefined ? {} : { event }),
    ...(command === undefined
      ? {}
      : { command_id: await whichCommand(shell, [command], { last: false }) }),
  } as Parameters<ReturnType<Shell['client']>['listWebhookDeliveries']>[0]
  const found = await shell.client().listWebhookDeliveries(query, { signal: shell.signal })
  if (values.json) shell.print(JSON.stringify(found, null, 2))
  else for (const delivery of found) shell.print(lineOf(delivery))
  return 0
}

/** Sends an event once more, with the same id and body. */
async function redeliver(args: string[], shell: Shell): Promise<number> {
  const { WEBHOOK_ID: id } = exactly(parsed(args, {}).positionals, 'WEBHOOK_ID')
  shell.print(lineOf(await shell.client().redeliverWebhook(id, { signal: shell.signal })))
  return 0
}

async function listen(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    port: { type: 'string', default: '8000' },
    host: { type: 'string', default: '127.0.0.1' },
    json: { type: 'boolean', default: false },
  })
  exactly(positionals)
  const { signal } = shell
  const { secret: key } = await shell.client().getWebhook({ signal })
  const place = { host: values.host, port: wholeNumber('port', values.port) }
  await receiveWebhooks({ ...place, secret: key, json: values.json }, shell)
  return 0
}

function textOf({ url, events }: Webhook): string {
  if (url === null) return "no webhook is set: 'cloud-ffmpeg webhooks set URL' sets it"
  return `${url}\nevents  ${events.join(', ')}\nsecret  'cloud-ffmpeg webhooks secret' prints it`
}

/** Id, state, event, the last answer and what it is about. */
function lineOf(delivery: WebhookDelivery): string {
  const { webhook_id, status, event, attempts, next_attempt_at } = delivery
  const last = attempts.at(-1)
  const answer = last === undefined ? 'not sent yet' : String(last.response_status ?? last.error)
  const next = next_attempt_at === null ? [] : [`next at ${next_attempt_at}`]
  const tries = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`
  const about = delivery.command_id ?? delivery.file_id ?? ''
  return [webhook_id, status.padEnd(9), event.padEnd(16), answer, tries, about, ...next]
    .filter((part) => part !== '')
    .join('  ')
}
