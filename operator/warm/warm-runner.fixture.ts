import { job, pod } from '../../testing/support/operator/snapshot.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts, WarmRunnerPodFacts } from '../observe/pod-facts.ts'

export const poolHash = '0a1b2c3d'

/** A Job of the pool without a command. */
export function warmRunnerJob(name: string, changes: Partial<JobFacts> = {}): JobFacts {
  const metadata = { namespace: 'media', name, uid: `uid of ${name}`, resourceVersion: '1' }
  const unbound = { commandId: null, jobGeneration: 0, ownerUid: null, specHash: null }
  return job({ metadata, ...unbound, ttlSeconds: 60, warmRunner: { poolHash }, ...changes })
}

/** Pod that runs and can be resized. */
export function warmRunnerPod(
  jobName: string,
  changes: Partial<PodFacts> = {},
  facts: Partial<WarmRunnerPodFacts> = {},
): PodFacts {
  const uid = `pod of ${jobName}`
  return pod({
    metadata: { namespace: 'media', name: `${jobName}-abcde`, uid, resourceVersion: '1' },
    commandId: null,
    jobGeneration: 0,
    warmRunner: {
      job: { name: jobName, uid: `uid of ${jobName}` },
      isBound: false,
      size: null,
      isResizable: true,
      resizePending: null,
      startSeconds: 2,
      ...facts,
    },
    ...changes,
  })
}
