import { admitWaiting } from '../support/admit-waiting.ts'
import type { Admission, AdmissionRequest } from '../../common/store/admission.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { LifecycleStore } from '../../common/store/store.ts'
import { newCommand, newId } from './fixtures.ts'

export interface OpenStore {
  readonly store: LifecycleStore
  /** Makes everything in the store this much older. */
  readonly age: (seconds: number) => Promise<void>
  /**
   * As another process would: an upload of 77 bytes to `uploads/<id>` in place of a URL, or a
   * deletion by its owner.
   */
  readonly changeFile: (fileId: string, change: 'uploaded' | 'deleted') => Promise<void>
  readonly close: () => Promise<void>
}

/** Each test's own account in one store, and the ways to bring a command to where a test begins. */
export interface Session extends Omit<OpenStore, 'close'> {
  /** Of the present test. */
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
    await store.claimAttempt({ commandId, round: 1, podUid })
    return commandId
  }
  const row = async (commandId: string) => {
    const found = await store.findForReconcile(commandId)
    if (found === null) throw new Error(`no row ${commandId}`)
    return found
  }
  return {
    ...{ store, submit, dispatch, run, admit, admitWithin, row },
    get accountId() {
      return accountId
    },
    age: (seconds) => opened.age(seconds),
    changeFile: (fileId, change) => opened.changeFile(fileId, change),
  }
}
