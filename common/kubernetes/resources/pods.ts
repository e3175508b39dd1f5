import { parseConditions } from './conditions.ts'
import { parseMetadata } from './metadata.ts'
import {
  isTrueIn,
  listIn,
  numberIn,
  objectIn,
  objectOf,
  optionalNumberIn,
  optionalTextIn,
  textIn,
  textsIn,
} from '../read-json.ts'
import { createResource } from './resource.ts'
import type { KubeClient } from '../client.ts'
import type { ContainerResources, ContainerState, Pod, PodContainer } from './objects.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { Resource } from './resource.ts'

export function createPods(client: KubeClient): Resource<Pod> {
  return createResource(client, {
    kind: 'Pod',
    plural: 'pods',
    apiPath: '/api/v1',
    parse: parsePod,
  })
}

/** @throws UnexpectedShape */
export function parsePod(raw: unknown): Pod {
  const object = objectOf(raw, 'Pod')
  const spec = objectIn(object, 'spec')
  const status = objectIn(object, 'status')
  return {
    metadata: parseMetadata(raw),
    spec: {
      nodeName: optionalTextIn(spec, 'nodeName'),
      containers: listIn(spec, 'containers').map(parseResources),
    },
    status: {
      phase: phaseOf(status['phase']),
      reason: optionalTextIn(status, 'reason'),
      message: optionalTextIn(status, 'message'),
      startTime: optionalTextIn(status, 'startTime'),
      conditions: parseConditions(status),
      containers: listIn(status, 'containerStatuses').map(parseContainer),
    },
  }
}

/** A new pod has no phase until the scheduler or the kubelet has processed it. */
function phaseOf(phase: unknown): Pod['status']['phase'] {
  switch (phase) {
    case 'Running':
    case 'Succeeded':
    case 'Failed':
    case 'Unknown':
      return phase
    default:
      return 'Pending'
  }
}

function parseResources(raw: unknown): ContainerResources {
  const container = objectOf(raw, 'containers entry')
  const resources = objectIn(container, 'resources')
  return {
    name: textIn(container, 'name'),
    requests: textsIn(resources, 'requests'),
    limits: textsIn(resources, 'limits'),
  }
}

function parseContainer(raw: unknown): PodContainer {
  const container = objectOf(raw, 'containerStatuses entry')
  return {
    name: textIn(container, 'name'),
    ready: isTrueIn(container, 'ready'),
    showsResources: container['resources'] !== undefined,
    restartCount: optionalNumberIn(container, 'restartCount') ?? 0,
    state: parseState(objectIn(container, 'state')),
    lastState: parseLastState(objectIn(container, 'lastState')),
  }
}

function parseLastState(state: JsonObject): ContainerState | null {
  return Object.keys(state).length === 0 ? null : parseState(state)
}

/** Without any of the three the container is waiting, by definition of the field. */
function parseState(state: JsonObject): ContainerState {
  if (state['terminated'] !== undefined) {
    const terminated = objectIn(state, 'terminated')
    return {
      kind: 'terminated',
      exitCode: numberIn(terminated, 'exitCode'),
      signal: optionalNumberIn(terminated, 'signal'),
      reason: optionalTextIn(terminated, 'reason'),
      message: optionalTextIn(terminated, 'message'),
      startedAt: optionalTextIn(terminated, 'startedAt'),
      finishedAt: optionalTextIn(terminated, 'finishedAt'),
    }
  }
  if (state['running'] !== undefined) {
    return {
      kind: 'running',
      startedAt: optionalTextIn(objectIn(state, 'running'), 'startedAt'),
    }
  }
  const waiting = objectIn(state, 'waiting')
  return {
    kind: 'waiting',
    reason: optionalTextIn(waiting, 'reason'),
    message: optionalTextIn(waiting, 'message'),
  }
}
