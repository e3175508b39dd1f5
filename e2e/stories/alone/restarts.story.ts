import { expect } from 'chai'
import { helmUpgrade } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import type { Environment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { killContainer, podOf } from '../../steps/server-pods.ts'
import { storedOutputs } from '../../steps/stored-outputs.ts'
import { runsFor, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'

describe('nothing accepted is ever lost', () => {
  const env = useEnvironment()

  it('a command is not lost when the operator is killed while its Job runs', async () => {
    const { command_id } = await env.client.submit(runsFor(8))
    await untilFfmpegRuns(env.client, command_id)
    await killContainer(env, await podOf(env, 'operator'))
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await storedOutputs(env, command_id)).to.have.length(1)
  })

  it('a command is not lost when the API server is killed between the row and the custom resource', async () => {
    const armed = {
      extraEnv: [{ name: 'CLOUD_FFMPEG_FAILPOINTS', value: 'dispatch.cr_created=crash-before' }],
    }
    const { namespace, values } = env.installed
    await helmUpgrade(env.cluster, namespace, withApiServer(values, armed))
    let commandId: string
    try {
      // The one before it may still drain, and would do the work of the one that is to die.
      await eventually('the armed API server is the only one', async () => {
        const selector = 'app.kubernetes.io/component=api-server'
        const names = await env.kubectl('get', 'pods', '-l', selector, '-o', 'name')
        return names.trim().split('\n').length === 1
      })
      commandId = await submitOnce(env)
      await eventually('the API server has died', async () => {
        const pod = await podOf(env, 'api-server')
        const path = 'jsonpath={.status.containerStatuses[0].restartCount}'
        return Number(await env.kubectl('get', 'pod', pod, '-o', path)) > 0
      })
      expect(await env.kubectl('get', 'ffc', '-o', 'name')).not.to.include(commandId)
    } finally {
      await helmUpgrade(env.cluster, namespace, withApiServer(values, { extraEnv: [] }))
    }
    const record = await untilEnd(env.client, commandId)
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
  })

  it('a command is not lost when the Kubernetes API is away at submission', async function () {
    const { stopApi, startApi } = env.cluster
    if (stopApi === undefined || startApi === undefined) {
      throw new Error('this cluster provider cannot stop the Kubernetes API')
    }
    await stopApi()
    let commandId: string
    try {
      commandId = (await env.client.submit(runsFor(1))).command_id
      const record = await env.client.getCommand(commandId)
      expect(record.status).to.equal('QUEUED')
    } finally {
      await startApi()
    }
    const record = await untilEnd(env.client, commandId)
    expect(record.status).to.equal('SUCCESS')
  })

  it('a command is not lost when Postgres restarts while it runs', async () => {
    const { command_id } = await env.client.submit(runsFor(6))
    await untilFfmpegRuns(env.client, command_id)
    await env.postgres.crash()
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
  })

  it('a command is not lost when the node loses power in the middle of a run and comes back', async () => {
    const { stopNode, startNode } = env.cluster
    if (stopNode === undefined || startNode === undefined) {
      throw new Error('this cluster provider cannot cut the power of a node')
    }
    const { command_id } = await env.client.submit(runsFor(8))
    await untilFfmpegRuns(env.client, command_id)
    await stopNode()
    await startNode()
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 2 })
  })

  it('a command whose pod is deleted in the middle of a run is tried again, with one result', async () => {
    const { command_id } = await env.client.submit(runsFor(8))
    await untilFfmpegRuns(env.client, command_id)
    const selector = `cloudffmpeg.dev/command-id=${command_id}`
    await env.kubectl('delete', 'pod', '-l', selector, '--wait=false')
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 2 })
    const url = record.output_files?.['out_1']?.storage_url ?? ''
    expect((await fetch(url)).status).to.equal(200)
  })
})

/** Without an Idempotency-Key: keeping the answer under it would give the crash time to come first. */
async function submitOnce({ installed }: Environment): Promise<string> {
  const answer = await fetch(`${installed.url}/v1/run-ffmpeg-command`, {
    method: 'POST',
    headers: { 'x-api-key': installed.apiKey },
    body: JSON.stringify(runsFor(1)),
  })
  const { command_id: id } = (await answer.json()) as { command_id: string }
  return id
}

function withApiServer(
  values: Readonly<Record<string, unknown>>,
  more: object,
): Record<string, unknown> {
  return { ...values, apiServer: { ...(values['apiServer'] as object), ...more } }
}
