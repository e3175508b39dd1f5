import { sleep } from '../../../common/runtime/effects.ts'
import type { Account } from '../../../common/store/accounts.ts'
import type { ApiProgram } from './api-process.ts'
import type { Host } from './host.ts'
import type { Random } from '../../support/random.ts'
import { inputUrl, accounts, namespace } from '../world/settings.ts'
import type { Scenario } from '../world/settings.ts'
import type { World } from '../world/world.ts'

export interface Clients {
  /** Commands that were accepted, or applied. */
  readonly commandIds: readonly string[]
  /** How many are still being submitted. */
  pending(): number
}

const submitWithinMs = 30_000
/** With it the custom resource of a command refers to its request. */
const longOption = `-metadata comment=${'a'.repeat(10_000)} `

/** Users: they submit until they are answered, apply objects with kubectl, poll, cancel, delete. */
export function startClients(
  world: World,
  deps: { apis: readonly Host<ApiProgram>[]; count: number; random: Random },
): Clients {
  const { clock, oracle, server, trace } = world
  const { apis, random } = deps
  const commandIds: string[] = []
  let pending = deps.count
  for (let index = 0; index < deps.count; index += 1) {
    const own = random.fork(String(index))
    clock.schedule(own.between(0, submitWithinMs), () => void client(index, own))
  }
  for (let index = 0; index < deps.count / 6; index += 1) {
    const own = random.fork(`file ${index}`)
    clock.schedule(own.between(0, submitWithinMs), () => storeFile(index, own))
  }
  return { commandIds, pending: () => pending }

  async function client(index: number, own: Random): Promise<void> {
    const account = own.pick(accounts)
    const scenario = scenarioFrom(own)
    const applies = own.chance(0.15)
    const commandId = applies
      ? apply(index, account, scenario, own)
      : await submit(account, scenario, own)
    trace.add('client', `${applies ? 'applied' : 'submitted'} ${commandId} (${scenario.kind})`)
    commandIds.push(commandId)
    pending -= 1
    if (own.chance(0.1)) clock.schedule(own.between(0, 15_000), () => cancel(commandId))
    else if (own.chance(0.07)) clock.schedule(own.between(0, 15_000), () => remove(commandId))
    if (!applies) await poll(account, commandId, own)
  }

  /** With kubectl: a record, a Job and a stored object follow from it. */
  function storeFile(index: number, own: Random): void {
    const roll = own.next()
    const workMs = own.between(500, 6_000)
    const scenario: Scenario =
      roll < 0.15
        ? { kind: 'failure', errorStatus: 'UNREACHABLE_INPUT_FILE', workMs }
        : { kind: roll < 0.4 ? 'large' : roll < 0.5 ? 'mute' : 'success', workMs }
    const { metadata } = server.cluster.create('StoredFile', namespace, {
      metadata: { name: `file-${index}` },
      spec: {
        account: own.pick(accounts).name,
        source: { url: inputUrl(scenario) },
        private: false,
      },
    })
    trace.add('client', `stores ${metadata.uid} (${scenario.kind})`)
    if (own.chance(0.15)) clock.schedule(own.between(0, 15_000), () => cancel(metadata.uid))
    else if (own.chance(0.1)) clock.schedule(own.between(0, 15_000), () => remove(metadata.uid))
  }

  async function submit(account: Account, scenario: Scenario, own: Random): Promise<string> {
    const body = {
      ffmpeg_command: `-i {{in_1}} ${own.fork('form').chance(0.25) ? longOption : ''}{{out_1}}`,
      input_files: { in_1: inputUrl(scenario) },
      output_files: { out_1: 'out.mp4' },
      vcpu_count: own.integer(1, 4),
      max_command_run_seconds: 10,
    }
    for (;;) {
      const answer = await api(own)
        ?.submit(account, body)
        .catch(() => null)
      const id = answer?.status === 200 ? idIn(answer.body) : null
      if (id !== null) {
        oracle.acknowledged(id)
        return id
      }
      await sleep(clock, own.between(200, 2_000))
    }
  }

  function apply(index: number, account: Account, scenario: Scenario, own: Random): string {
    const { metadata } = server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: `applied-${index}` },
      spec: {
        account: account.name,
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: inputUrl(scenario) },
        outputFiles: { out_1: 'out.mp4' },
        vcpuCount: own.integer(1, 4),
        maxRunSeconds: 10,
        private: false,
      },
    })
    return metadata.uid
  }

  async function poll(account: Account, commandId: string, own: Random): Promise<void> {
    for (let ends = 0; ends < 3;) {
      await sleep(clock, own.between(3_000, 9_000))
      const answer = await api(own)
        ?.get(account, commandId)
        .catch(() => null)
      if (answer?.status === 404) oracle.violated(`I1: ${commandId} is accepted and not found`)
      if (answer?.status !== 200) continue
      oracle.read(commandId, answer.body)
      if (isEnd(answer.body)) ends += 1
    }
  }

  function api(own: Random): ApiProgram | null {
    const running = apis.flatMap((host) => host.running() ?? [])
    return running.length === 0 ? null : own.pick(running).program
  }

  function resourceOf(commandId: string): { kind: string; name: string } | null {
    for (const kind of ['FfmpegCommand', 'StoredFile']) {
      const found = server.cluster
        .list(kind)
        .find(({ metadata }) => metadata.uid === commandId || metadata.name.endsWith(commandId))
      if (found !== undefined) return { kind, name: found.metadata.name }
    }
    return null
  }

  function cancel(commandId: string): void {
    const found = resourceOf(commandId)
    if (found === null) return
    trace.add('client', `cancels ${commandId}`)
    oracle.wished(commandId, 'cancel')
    server.cluster.update(found.kind, namespace, found.name, (object) => ({
      ...object,
      spec: { ...object.spec, cancel: true },
    }))
  }

  function remove(commandId: string): void {
    const found = resourceOf(commandId)
    if (found === null) return
    trace.add('client', `deletes ${found.name}`)
    oracle.wished(commandId, 'cancel')
    server.cluster.delete(found.kind, namespace, found.name)
  }
}

function scenarioFrom(random: Random): Scenario {
  const workMs = random.between(500, 6_000)
  const roll = random.next()
  if (roll < 0.6) return { kind: 'success', workMs }
  if (roll < 0.72) return { kind: 'large', workMs }
  if (roll < 0.8) return { kind: 'failure', errorStatus: 'FFMPEG_FAILED', workMs }
  if (roll < 0.84) return { kind: 'failure', errorStatus: 'UNREACHABLE_INPUT_FILE', workMs }
  if (roll < 0.89) return { kind: 'mute', workMs }
  if (roll < 0.94) return { kind: 'out-of-memory', workMs }
  return { kind: roll < 0.97 ? 'crash' : 'hang', workMs }
}

function idIn(body: unknown): string | null {
  const id =
    typeof body === 'object' && body !== null && 'command_id' in body ? body.command_id : null
  return typeof id === 'string' ? id : null
}

function isEnd(body: unknown): boolean {
  const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : null
  return status === 'SUCCESS' || status === 'FAILED'
}
