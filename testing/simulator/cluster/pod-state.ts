import { listIn, objectIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { FakeObject } from '../kube-apiserver/objects/fake-object.ts'

export function isTerminalPod({ status }: FakeObject): boolean {
  return status?.['phase'] === 'Succeeded' || status?.['phase'] === 'Failed'
}

export interface EndedContainer {
  readonly name: string
  readonly exitCode: number
  readonly reason?: string
  readonly message?: string
}

/** The containers that have ended. */
export function containersOf({ status }: FakeObject): EndedContainer[] {
  return listIn(status ?? {}, 'containerStatuses').flatMap((container) => {
    if (!isJsonObject(container)) return []
    const terminated = objectIn(objectIn(container, 'state'), 'terminated')
    const { name } = container
    const { exitCode } = terminated
    return typeof name === 'string' && typeof exitCode === 'number' ? [{ name, exitCode }] : []
  })
}

export function hasDisruption({ status }: FakeObject): boolean {
  return listIn(status ?? {}, 'conditions').some(
    (condition) => isJsonObject(condition) && condition['type'] === 'DisruptionTarget',
  )
}

export function withCondition(
  status: Readonly<Record<string, unknown>>,
  type: string,
  reason: string,
  value: 'True' | 'False' = 'True',
): object {
  const others = listIn(status, 'conditions').filter(
    (condition) => !isJsonObject(condition) || condition['type'] !== type,
  )
  return { ...status, conditions: [...others, { type, status: value, reason, message: reason }] }
}

export function runningContainers(startedAt: string): object[] {
  return ['transfer', 'ffmpeg'].map((name) => ({
    name,
    ready: true,
    restartCount: 0,
    // A node that can change them in place does the same.
    resources: {},
    state: { running: { startedAt } },
  }))
}

export function terminatedContainer({ name, ...terminated }: EndedContainer): object {
  return { name, ready: false, restartCount: 0, state: { terminated } }
}
