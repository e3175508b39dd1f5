import type { ErrorStatus } from '../../common/domain/failures.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { NewFile } from '../../common/store/files.ts'
import type { Outcome, OutcomeCommit, Progress } from '../../common/store/attempts.ts'
import type { LifecycleStore } from '../../common/store/store.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'
import { admitWaiting } from '../support/admit-waiting.ts'
import type { Admission, AdmissionRequest } from '../../common/store/admission.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'

const effects = systemEffects()
export const newId = (): string => effects.newId()

export const source = {
  commands: ['-i {{in_1}} {{out_1}}'],
  inputFiles: { in_1: 'https://media.example/a.mp4' },
  inputCompressedFolder: null,
  outputFiles: { out_1: 'o.mp4' },
}

export function newCommand(accountId: string): NewCommand {
  return {
    commandId: newId(),
    accountId,
    environmentName: null,
    commandType: 'FFMPEG_COMMAND',
    source,
    originalRequest: { ffmpeg_command: '-i {{in_1}} {{out_1}}' },
    metadata: null,
    vcpuCount: 2,
    maxRunSeconds: 300,
    isPrivate: false,
    outputTtlSeconds: null,
    presignedTtlSeconds: null,
    priority: 'normal',
    webhookUrl: null,
  }
}

export function newFile(commandId: string, name = 'o.mp4'): NewFile {
  return {
    fileId: newId(),
    alias: 'out_1',
    key: `public/a/${commandId}/pod/${name}`,
    sizeBytes: 2_000,
    compressedBytes: null,
    fileCount: null,
    media: { ...unknownMedia, duration: 1.5, codec: 'h264' },
  }
}

export const queuedStep = {
  index: 0,
  status: 'QUEUED',
  progress_percent: null,
  ffmpeg_command_run_seconds: null,
  exit_code: null,
} as const

export function progressOf(commandId: string, attempt: string): Progress {
  return {
    commandId,
    attempt,
    status: 'PROCESSING',
    stage: 'FFMPEG_PROCESSING',
    progressPercent: null,
    steps: [queuedStep],
    logs: [{ step: 0, sequence: 0, text: 'frame=1' }],
  }
}

export function commitOf(
  commandId: string,
  attempt: string | null,
  outcome: Outcome = { status: 'SUCCESS', files: [] },
): OutcomeCommit {
  const usage = {
    inputBytes: 1_000,
    outputBytes: 2_000,
    ffmpegStarted: true,
    ffmpegRunSeconds: 2.5,
  }
  const status = outcome.status === 'SUCCESS' ? 'SUCCESS' : 'FAILED'
  return { commandId, attempt, outcome, steps: [{ ...queuedStep, status }], usage, logs: [] }
}

export function failed(errorStatus: ErrorStatus) {
  return { status: 'FAILED', errorStatus, errorMessage: `because ${errorStatus}` } as const
}

export function lossOf(
  commandId: string,
  change: Partial<Parameters<LifecycleStore['loseAttempt']>[0]>,
) {
  return {
    commandId,
    jobGeneration: 1,
    attempt: null,
    podUid: null,
    reason: 'Evicted',
    charged: false,
    sameGeneration: false,
    maxAttempts: 3,
    ...change,
  }
}

export interface OpenStore {
  readonly store: LifecycleStore
  /** Makes everything in the store this much older. */
  readonly age: (seconds: number) => Promise<void>
  /**
   * Changes a file as another process would: an upload of 77 bytes to `uploads/<id>` in place of a URL, or a
   * deletion by its owner.
   */
  readonly changeFile: (fileId: string, change: 'uploaded' | 'deleted') => Promise<void>
  readonly close: () => Promise<void>
}

/** Each test's own account in one store, and the ways to bring a command to where a test begins. */
export interface Session extends Omit<OpenStore, 'close'> {
  /** Account of the present test. */
  readonly accountId: string
  /** Each returns the command's id. */
  readonly submit: (change?: Partial<NewCommand>) => Promise<string>
  readonly dispatch: (change?: Partial<NewCommand>) => Promise<string>
  /** Admitted and held by the pod. */
  readonly run: (podUid: string, change?: Partial<NewCommand>) => Promise<string>
  readonly admit: (vcpuLimit?: number | null, passSeconds?: number) => Promise<Admission>
  /** The account's commands that wait, without limits but these. */
  readonly admitWithin: (limits: Partial<AdmissionRequest>) => Promise<Admission>
  readonly row: (commandId: string) => Promise<ReconcileRow>
}

/** Opens the store before the tests of the present `describe`, which may take its functions now. */
export function useSession(open: () => Promise<OpenStore>): Session {
  const store = {} as LifecycleStore
  let opened: OpenStore
  let accountId: string

  before(async () => {
    opened = await open()
    Object.assign(store, opened.store)
  })
  after(() => opened.close())
  beforeEach(async () => {
    const account = { accountId: newId(), name: `a${newId()}`, plan: 'pro' }
    ;({ accountId } = await store.ensureAccount(account))
  })

  const submit = async (change: Partial<NewCommand> = {}) => {
    const command = { ...newCommand(accountId), ...change }
    await store.insertCommands([command])
    return command.commandId
  }
  const dispatch = async (change: Partial<NewCommand> = {}) => {
    const commandId = await submit(change)
    await store.markDispatched(commandId, `uid-${commandId}`)
    return commandId
  }
  const admitWithin = (limits: Partial<AdmissionRequest>) => admitWaiting(store, accountId, limits)
  const admit = (vcpuLimit: number | null = null, passSeconds = 300) =>
    admitWithin({ vcpuLimit, passSeconds })
  const run = async (podUid: string, change: Partial<NewCommand> = {}) => {
    const commandId = await dispatch(change)
    await admit()
    await store.claimAttempt({ commandId, jobGeneration: 1, podUid })
    return commandId
  }
  const row = async (commandId: string) => {
    const found = await store.findForReconcile(commandId)
    if (found === null) throw new Error(`no row ${commandId}`)
    return found
  }
  return {
    store,
    submit,
    dispatch,
    run,
    admit,
    admitWithin,
    row,
    get accountId() {
      return accountId
    },
    age: (seconds) => opened.age(seconds),
    changeFile: (fileId, change) => opened.changeFile(fileId, change),
  }
}
