import { expect } from 'chai'
import { useEnvironment } from '../../steps/environment.ts'
import { killContainer, podOf } from '../../steps/server-pods.ts'
import { storedOutputs } from '../../steps/stored-outputs.ts'
import { runsFor, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'

describe('a command whose servers are killed while it runs', () => {
  const env = useEnvironment()

  it('a command ends as SUCCESS at its first attempt after the deaths of operator, API server and Postgres', async () => {
    const { command_id } = await env.client.submit(runsFor(10))
    await untilFfmpegRuns(env.client, command_id)
    await killContainer(env, await podOf(env, 'operator'))
    await killContainer(env, await podOf(env, 'api-server'))
    await env.postgres.crash()
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await storedOutputs(env, command_id)).to.have.length(1)
  })
})
