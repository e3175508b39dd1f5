import type { StoreChange } from '../kube-apiserver/objects/object-store.ts'
import type { CommandRow, Tables } from '../memory-store/memory-rows.ts'

/** `refuse`: the cluster has refused its custom resource. */
export type Wish = 'cancel' | 'vanish' | 'refuse'

/**
 * Watches every change of every row and object, and knows what may never be: a lost command, a
 * second end, a step back, more vCPUs than an account has, work for a command that has ended.
 */
export interface Oracle {
  /** After each method of the store. */
  audit(tables: Tables): void
  /** Each change in the cluster. */
  see(change: StoreChange): void
  /** @param inAnyCase also after the database has lost commits */
  violated(what: string, inAnyCase?: boolean): void
  /** The database has lost its last commits: only what was shown still counts. */
  forgot(): void
  /** Successes that resources have shown. */
  shown(): number
  /** Shown successes that are recorded otherwise now, or whose objects are gone. */
  shownProblems(): string[]
  /** A leader stands still with unsent requests. */
  leaderStopped(): void
  /** The API has said that the command is accepted. */
  acknowledged(commandId: string): void
  /** A pod was given a command. */
  assigned(podUid: string, commandId: string): void
  /** Records a client's poll. */
  read(commandId: string, body: unknown): void
  /** Records that its cancellation was requested, or its resource was deleted. */
  wished(commandId: string, what: Wish): void
  /** Faults when nothing is left to do; also while something is. */
  unrest(): string[]
  readonly violations: readonly string[]
  rows(): CommandRow[]
}
