import type { ReconcileRow } from './reconcile.ts'

/** Store methods of warm runners: pods that wait for a command before one is chosen for them. */
export interface StandbyStore {
  /**
   * Gives a waiting command in generation 1, of which no attempt was lost, to a standby pod. A pod, and a Job,
   * is given one command, ever.
   */
  bindStandby(bind: BindStandby): Promise<Bound>
  /** The command that the standby pod was given, also if the attempt was lost since; null: none. */
  findBound(podUid: string): Promise<{ commandId: string; jobGeneration: number } | null>
  /** Which of these Jobs of standbys were given a command. */
  boundStandbys(jobNames: readonly string[]): Promise<BoundStandby[]>
  /** Claims of generation 1 in the last ten minutes that a standby of this class could have had. */
  standbyDemand(class_: StandbyClass): Promise<StandbyDemand>
}

export interface BindStandby {
  readonly commandId: string
  readonly podUid: string
  /** Name of the pod's Job. */
  readonly standbyJob: string
  /** Since the kubelet has started the pod, by the clock of its node. */
  readonly waitedSeconds: number
}

export type Bound =
  /** Now, or by an earlier call whose reply was lost. */
  | { readonly kind: 'bound'; readonly row: ReconcileRow }
  /** The pod, or its Job, was given a command before. */
  | { readonly kind: 'taken' }
  /** The command does not wait for its first attempt any more. */
  | { readonly kind: 'not-waiting' }

export interface BoundStandby {
  readonly standbyJob: string
  readonly podUid: string
  readonly commandId: string
  /** The attempt holds its command, which has not ended. */
  readonly isLive: boolean
}

export interface StandbyClass {
  /** The largest `vcpu_count` of a command that fits. */
  readonly vcpuCount: number
  /** Plans whose commands get no standby. */
  readonly coldPlans: readonly string[]
}

export interface StandbyDemand {
  /** Most claims in any five seconds. */
  readonly most: number
  /** Since the last claim; null: none in the last hour. */
  readonly idleSeconds: number | null
}
