import { parseConditions } from './conditions.ts'
import { parseMetadata } from './metadata.ts'
import { isTrueIn, objectIn, objectOf, optionalNumberIn, optionalTextIn } from '../read-json.ts'
import { createResource } from './resource.ts'
import type { KubeClient } from '../client.ts'
import type { Job } from './objects.ts'
import type { Resource } from './resource.ts'

export function createJobs(client: KubeClient): Resource<Job> {
  const names = { kind: 'Job', plural: 'jobs', apiPath: '/apis/batch/v1' }
  return createResource(client, { ...names, parse: parseJob })
}

/** @throws UnexpectedShape */
export function parseJob(raw: unknown): Job {
  const object = objectOf(raw, 'Job')
  const spec = objectIn(object, 'spec')
  const status = objectIn(object, 'status')
  const count = (field: string): number => optionalNumberIn(status, field) ?? 0
  return {
    metadata: parseMetadata(raw),
    spec: {
      suspend: isTrueIn(spec, 'suspend'),
      activeDeadlineSeconds: optionalNumberIn(spec, 'activeDeadlineSeconds'),
      ttlSecondsAfterFinished: optionalNumberIn(spec, 'ttlSecondsAfterFinished'),
    },
    status: {
      active: count('active'),
      ready: count('ready'),
      succeeded: count('succeeded'),
      failed: count('failed'),
      terminating: count('terminating'),
      startTime: optionalTextIn(status, 'startTime'),
      completionTime: optionalTextIn(status, 'completionTime'),
      conditions: parseConditions(status),
    },
  }
}
