import { helmUpgrade, merge } from '../installation/install.ts'
import type { Environment } from './environment.ts'
import { eventually } from './eventually.ts'
import { waitingRunners } from './server-pods.ts'
import { untilEnd } from './submit-and-wait.ts'
import type { CommandStatusRecord, SingleSubmission } from '../../cli/client/client.ts'

export interface KubeObject {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly labels?: Record<string, string>
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[]
  }
  readonly spec: {
    readonly activeDeadlineSeconds?: number
    readonly nodeName?: string
    readonly containers?: readonly {
      readonly name: string
      readonly resources: { readonly requests: Record<string, string> }
    }[]
  }
  readonly status?: Record<string, unknown>
}

export const inPool = 'cloudffmpeg.dev/pool'
export const warmRunnersWaiting = `${inPool},cloudffmpeg.dev/standby=waiting`

/** One frame, with no input. */
export const tiny = {
  input_files: {},
  output_files: { out_1: 'tiny.png' },
  ffmpeg_command: '-f lavfi -i color=size=64x64 -frames:v 1 {{out_1}}',
  vcpu_count: 2,
}

/** Calls of stories to see and change warm runners. */
export interface WarmRunnerPool {
  /** The Job of one that requests a command, other than the given. */
  untilWaiting(other?: string): Promise<KubeObject>
  /**
   * Runs a command until its Job is found by its labels: that of a short one counts as one that waits until
   * then, for kubectl.
   */
  run(
    submission: SingleSubmission,
  ): Promise<CommandStatusRecord & { start: unknown; jobName: unknown }>
  list(kind: 'jobs' | 'pods', selector: string): Promise<readonly KubeObject[]>
  /** Status of the command's resource once it has ended. */
  ended(commandId: string): Promise<Record<string, unknown>>
  upgrade(changes: object): Promise<void>
}

/** Runners wait for as long as the tests of the surrounding `describe` run. */
export function useWarmRunnerPool(env: Environment, warm: object): WarmRunnerPool {
  const pool: WarmRunnerPool = {
    untilWaiting: (other) =>
      eventually('a runner waits', async () => {
        const jobs = await pool.list('jobs', warmRunnersWaiting)
        const job = jobs.find(({ metadata }) => metadata.name !== other)
        if (job === undefined || (await waitingRunners(env)) === 0) return null
        const [pod] = await pool.list('pods', `job-name=${job.metadata.name}`)
        return pod?.status?.['phase'] === 'Running' && job
      }),
    async run(submission) {
      const { command_id } = await env.client.submit(submission)
      const record = await untilEnd(env.client, command_id)
      const status = await pool.ended(command_id)
      await eventually('its Job has its labels', async () => {
        const jobs = await pool.list('jobs', `cloudffmpeg.dev/command-id=${command_id}`)
        return jobs.some(({ metadata }) => metadata.name === status['jobName'])
      })
      return { ...record, start: status['start'], jobName: status['jobName'] }
    },
    async list(kind, selector) {
      const text = await env.kubectl('get', kind, '-l', selector, '-o', 'json')
      return (JSON.parse(text) as { items: readonly KubeObject[] }).items
    },
    ended: (commandId) =>
      eventually('its resource shows the end', async () => {
        const text = await env.kubectl('get', 'ffc', `ffc-${commandId}`, '-o', 'json')
        const { status = {} } = JSON.parse(text) as KubeObject
        return (status['state'] === 'SUCCESS' || status['state'] === 'FAILED') && status
      }),
    async upgrade(changes) {
      const { namespace, values } = env.installed
      await helmUpgrade(env.cluster, namespace, merge(values, { ...changes }))
    },
  }
  before(async () => {
    await pool.upgrade({ runner: { warm } })
    await pool.untilWaiting()
  })
  after(async () => {
    await pool.upgrade({})
    await eventually(
      'the pool is empty',
      async () => (await pool.list('jobs', warmRunnersWaiting)).length === 0,
    )
  })
  return pool
}
