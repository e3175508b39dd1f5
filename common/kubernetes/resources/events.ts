import { parseMetadata } from './metadata.ts'
import { objectIn, objectOf, optionalNumberIn, optionalTextIn, textIn } from '../read-json.ts'
import { createResource } from './resource.ts'
import type { KubeClient } from '../client.ts'
import type { KubeEvent } from './objects.ts'
import type { Resource } from './resource.ts'

export function createEvents(client: KubeClient): Resource<KubeEvent> {
  return createResource(client, {
    kind: 'Event',
    plural: 'events',
    apiPath: '/apis/events.k8s.io/v1',
    parse: parseEvent,
  })
}

/** @throws UnexpectedShape */
export function parseEvent(raw: unknown): KubeEvent {
  const object = objectOf(raw, 'Event')
  const series = objectIn(object, 'series')
  return {
    metadata: parseMetadata(raw),
    reason: textIn(object, 'reason'),
    note: optionalTextIn(object, 'note'),
    seriesCount: optionalNumberIn(series, 'count'),
    // The first is of reporters that use the older kind of Event, as the Job controller.
    lastAt:
      optionalTextIn(object, 'deprecatedLastTimestamp') ??
      optionalTextIn(series, 'lastObservedTime') ??
      optionalTextIn(object, 'eventTime'),
  }
}
