import { AsyncLocalStorage } from 'node:async_hooks'
import { Registry } from 'prom-client'
import { createDispatchMetrics } from '../../../api-server/dispatch/dispatch-metrics.ts'
import { createDispatcher } from '../../../api-server/dispatch/dispatcher.ts'
import { createFileUrls } from '../../../api-server/files/file-urls.ts'
import { createCommandRecords } from '../../../api-server/commands/read/command-records.ts'
import type { CommandRecords } from '../../../api-server/commands/read/command-records.ts'
import { getCommand } from '../../../api-server/commands/read/read-calls.ts'
import { runFfmpegCommand } from '../../../api-server/commands/submit/submit-calls.ts'
import { createSubmit } from '../../../api-server/commands/submit/submit.ts'
import type { Submit } from '../../../api-server/commands/submit/submit.ts'
import type { Endpoint } from '../../../api-server/http/endpoint.ts'
import { answerFor } from '../../../api-server/http/errors.ts'
import type { Answer } from '../../../api-server/http/errors.ts'
import type { Clock, Effects } from '../../../common/runtime/effects.ts'
import { createFfmpegCommands } from '../../../common/kubernetes/resources/ffmpeg-commands.ts'
import { createLeases } from '../../../common/kubernetes/resources/leases.ts'
import { createStoredFiles } from '../../../common/kubernetes/resources/stored-files.ts'
import { createKubeMetrics } from '../../../common/kubernetes/kube-metrics.ts'
import type { Account } from '../../../common/store/accounts.ts'
import { withHints } from '../../../common/store/hints.ts'
import { hintsOf } from './process-hints.ts'
import { connection, storeOf } from './process-store.ts'
import { kubeClientOf } from './process-kube.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import { dispatchPollMs, namespace, plans, publicBaseUrl } from '../world/settings.ts'
import type { World } from '../world/world.ts'

/** The API server without HTTP: its endpoints, and dispatch in the same process. */
export interface ApiProgram {
  submit(account: Account, body: object): Promise<Answer>
  get(account: Account, commandId: string): Promise<Answer>
}

export function startApi(
  world: World,
  process: SimulatedProcess,
  deps: { effects: Effects; random: Random },
): ApiProgram {
  const { effects, random } = deps
  const { logger, sabotage } = world
  const registry = new Registry()
  const hints = hintsOf(process, world, deps)
  const store = withHints(storeOf(process, world, random), hints.give)
  const kube = kubeClientOf(process, world, {
    random,
    metrics: createKubeMetrics(registry),
  })
  const commands = createFfmpegCommands(kube)
  const storedFiles = createStoredFiles(kube)
  const dispatcher = createDispatcher({
    store,
    commands: sabotage.created?.(commands) ?? commands,
    storedFiles: sabotage.created?.(storedFiles) ?? storedFiles,
    leases: createLeases(kube),
    namespace,
    liveCommands: 100,
    lookAhead: 8,
    pollMs: dispatchPollMs,
    hints,
    effects,
    logger,
    metrics: createDispatchMetrics(registry),
  })
  const submit = createSubmit({
    store,
    effects,
    notify: dispatcher.notify,
    atTurnEnd: (callback) => void process.clock.schedule(0, callback),
  })
  void dispatcher.run(process.killed)
  // Reads that are under way are state: those of a process that was killed must not reach another.
  const records = createCommandRecords({
    store: {
      findCommand: (...query) => store.findCommand(...query),
      findChanged: () => Promise.reject(new Error('nothing is remembered')),
    },
    pauses: { current: () => [] },
    queuePlaceOf: ({ queuePosition }) => Promise.resolve(queuePosition),
    fileUrls,
    clock: effects.clock,
    rememberMs: 0,
  })

  return {
    submit: (account, body) =>
      connection(process, async () => {
        const answer = await answered(endpoints.submit, account, { path: {}, query: {}, body })
        return effects.failpoint('api.replied', () => Promise.resolve(answer))
      }),
    get: (account, commandId) =>
      connection(process, () =>
        answered(endpoints.get, account, { path: { command_id: commandId }, query: {} }),
      ),
  }

  async function answered(endpoint: Endpoint, account: Account, request: object): Promise<Answer> {
    const name = { prefix: null, label: null }
    const key = { account, ...name, keyId: '', environmentName: null, readOnly: false }
    const own = {
      fields: {},
      warnings: [],
      ignores: () => undefined,
      isStillValid: () => Promise.resolve(true),
      addressRules: { allow: [], deny: [] },
    }
    const context = { ...own, key, log: logger, newId: () => effects.newId() }
    try {
      const { text, ...answer } = await serving.run({ effects, records, submit }, () =>
        endpoint.answer(request, context),
      )
      return text === undefined ? answer : { ...answer, body: JSON.parse(String(text)) as unknown }
    } catch (error) {
      return answerFor(error).answer
    }
  }
}

interface ServingProcess {
  readonly effects: Effects
  readonly records: CommandRecords
  readonly submit: Submit
}

/** The process that a request came to. */
const serving = new AsyncLocalStorage<ServingProcess>()

function current(): ServingProcess {
  const found = serving.getStore()
  if (found === undefined) throw new Error('no process serves this call')
  return found
}

const clock: Clock = {
  monotonicMs: () => current().effects.clock.monotonicMs(),
  wall: () => current().effects.clock.wall(),
  schedule: (delayMs, callback) => current().effects.clock.schedule(delayMs, callback),
}
const fileUrls = createFileUrls({ publicBaseUrl, presign: (key) => Promise.resolve(key) })

/** Once for all processes of all runs: to compile their schemas takes as long as a tenth of a run. */
const endpoints = {
  submit: runFfmpegCommand({
    plans,
    // The plans here have no quotas.
    store: { readUsage: () => Promise.reject(new Error('usage is not simulated')) },
    queueRoom: { require: () => Promise.resolve() },
    submit: (command) => current().submit(command),
    effects: {
      clock,
      random: () => current().effects.random(),
      newId: () => current().effects.newId(),
      failpoint: (name, effect) => current().effects.failpoint(name, effect),
    },
  }),
  get: getCommand({
    records: { read: (...query) => current().records.read(...query) },
    fileUrls,
  }),
}
