import type { ReconcileRow } from './reconcile.ts'

/** Store methods of warm runners: pods that wait for a command before one is chosen for them. */
export interface WarmRunnerStore {
  /**
   * Gives a waiting command in generation 1, of which no attempt was lost, to a warm runner pod. A pod, and a Job,
   * is given one command, ever.
   */
  bindWarmRunner(bind: BindWarmRunner): Promise<Bound>
  /** The command that the warm runner pod was given, also if the attempt was lost since; null: none. */
  findBound(podUid: string): Promise<{ commandId: string; jobGeneration: number } | null>
  /** Which of these Jobs of warm runners were given a command. */
  boundWarmRunners(jobNames: readonly string[]): Promise<BoundWarmRunner[]>
  /** Claims of generation 1 in the last ten minutes that a warm runner of this class could have had. */
  warmRunnerDemand(class_: WarmRunnerClass): Promise<WarmRunnerDemand>
}

export interface BindWarmRunner {
  readonly commandId: string
  readonly podUid: string
  /** Name of the pod's Job. */
  readonly warmRunnerJob: string
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

export interface BoundWarmRunner {
  readonly warmRunnerJob: string
  readonly podUid: string
  readonly commandId: string
  /** The attempt holds its command, which has not ended. */
  readonly isLive: boolean
}

export interface WarmRunnerClass {
  /** The largest `vcpu_count` of a command that fits. */
  readonly vcpuCount: number
  /** Plans whose commands get no warm runner. */
  readonly coldPlans: readonly string[]
}

export interface WarmRunnerDemand {
  /** Most claims in any five seconds. */
  readonly most: number
  /** Since the last claim; null: none in the last hour. */
  readonly idleSeconds: number | null
}
