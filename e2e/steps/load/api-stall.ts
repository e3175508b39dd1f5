import { expect } from 'chai'
import { kubectl } from '../../installation/install.ts'
import type { Client } from '../../../cli/client/client.ts'
import type { Environment } from '../environment.ts'
import { eventually } from '../eventually.ts'
import { runsFor, untilEnd } from '../submit-and-wait.ts'

const stallMs = 20_000

/**
 * The Kubernetes API does not answer for 20 s. A command that is submitted a second before its return runs once, as SUCCESS.
 * @param client of an account with room for one more command
 * @returns seconds from the return until its Job is there
 */
export async function runOverStall(env: Environment, client: Client): Promise<number> {
  const { pauseApi, resumeApi } = env.cluster
  if (pauseApi === undefined || resumeApi === undefined) {
    throw new Error('this cluster provider cannot pause the Kubernetes API')
  }
  await pauseApi()
  let commandId: string
  try {
    await new Promise((resume) => setTimeout(resume, stallMs - 1_000))
    commandId = (await client.submit(runsFor(1))).command_id
    await new Promise((resume) => setTimeout(resume, 1_000))
  } finally {
    await resumeApi()
  }
  const resumedMs = performance.now()
  const job = `ffc-${commandId}-1`
  await eventually('the Job is there', async () => {
    const found = await kubectl(env.cluster, [
      '-n',
      env.installed.namespace,
      'get',
      'job',
      job,
      '--ignore-not-found',
      '-o',
      'name',
    ])
    return found !== ''
  })
  const seconds = (performance.now() - resumedMs) / 1000
  expect(await untilEnd(client, commandId)).to.include({ status: 'SUCCESS', attempts: 1 })
  return seconds
}
