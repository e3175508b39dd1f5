import { hash } from 'node:crypto'
import type { Priority } from '../../common/domain/priority.ts'

/** Jobs are created suspended, and Kueue resumes them when its queues have room. */
export interface KueueSettings {
  /** Name of the LocalQueue; `{plan}` and `{account}` stand for those of the command. */
  readonly queueName: string
  /** WorkloadPriorityClass by the priority of the command; null: none. */
  readonly priorityClasses: Readonly<Record<Priority, string | null>>
  /** A command that is evicted more often ends as RUNNER_LOST. */
  readonly maxEvictions: number
}

export const queueNameLabel = 'kueue.x-k8s.io/queue-name'
const priorityClassLabel = 'kueue.x-k8s.io/priority-class'

/** Labels of a Job that Kueue reads. Pods do not have them: Kueue would queue each pod a second time. */
export function queueLabels(
  work: {
    readonly accountName: string
    readonly accountPlan: string
    readonly priority: Priority
  },
  { queueName, priorityClasses }: KueueSettings,
): Record<string, string> {
  const priorityClass = priorityClasses[work.priority]
  return {
    [queueNameLabel]: queueNameFor(queueName, work),
    ...(priorityClass === null ? {} : { [priorityClassLabel]: priorityClass }),
  }
}

/** A DNS label, as the name of a LocalQueue; what is none or too long ends in its hash. */
function queueNameFor(
  template: string,
  { accountName, accountPlan }: { readonly accountName: string; readonly accountPlan: string },
): string {
  const name = filledIn(template, accountPlan, accountName)
  if (dnsLabel.test(name)) return name
  const readable = name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')
  const start = readable.replace(/^-+/, '').slice(0, longestLabel - hashLength - 1)
  return `${start}-${hash('sha256', name, 'hex').slice(0, hashLength)}`.replace(/^-/, '')
}

/**
 * Why the template names no queue; null if it does. Names of accounts are DNS labels, so one stands
 * for all.
 */
export function queueNameProblem(template: string, plans: readonly string[]): string | null {
  const unknown = /\{(?!plan\}|account\})[^}]*\}?/.exec(template)
  if (unknown !== null) return `has ${unknown[0]}: only {plan} and {account} are filled in`
  const wrong = plans.map((plan) => filledIn(template, plan, 'a')).find((name) => !isLabel(name))
  return wrong === undefined ? null : `gives '${wrong}', not a DNS label (a-z, 0-9, -)`
}

function isLabel(name: string): boolean {
  return dnsLabel.test(name)
}

function filledIn(template: string, plan: string, account: string): string {
  return template.replaceAll(/\{(plan|account)\}/g, (_, field) =>
    field === 'plan' ? plan : account,
  )
}

const longestLabel = 63
const hashLength = 8
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
