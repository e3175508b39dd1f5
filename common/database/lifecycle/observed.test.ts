import { expect } from 'chai'
import { Registry } from 'prom-client'
import {
  commitOf,
  failed,
  lossOf,
  newCommand,
  progressOf,
} from '../../../testing/store-contract/fixtures.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { useStore } from '../../../testing/support/database.ts'
import { createLifecycleMetrics } from '../../store/lifecycle/metrics.ts'
import { createPostgresStore } from '../postgres-store.ts'

describe('stages of commands', () => {
  const store = useStore()

  it('stages are observed once, at the commit, and not by the writer that was second', async () => {
    const { observing, counts } = observed()
    const commandId = await running('pod-1')
    await observing.storeProgress({ ...progressOf(commandId, 'pod-1'), stage: 'FFMPEG_PROCESSING' })
    const usage = { inputBytes: 70, outputBytes: 30, ffmpegStarted: true, ffmpegRunSeconds: 1 }
    const commit = { ...commitOf(commandId, 'pod-1'), usage }
    await observing.commitOutcome(commit)
    await observing.commitOutcome(commit)
    expect(await counts()).to.deep.equal({
      'dispatch ok': 1,
      'queue ok': 1,
      'download ok': 1,
      'ffmpeg ok': 1,
    })
    const { version } = (await observing.findForReconcile(commandId)) ?? { version: 0 }
    await observing.markMirrored(commandId, version)
    await observing.markMirrored(commandId, version)
    expect(await counts()).to.include({ 'mirror ok': 1 })
  })

  it('stages are lost with their attempt, once, and the end of the last loss has no attempt', async () => {
    const { observing, counts } = observed()
    const commandId = await running('pod-2')
    const loss = lossOf(commandId, { jobGeneration: 1, attempt: 'pod-2', maxAttempts: 1 })
    expect(await observing.loseAttempt(loss)).to.have.property('ended')
    expect(await observing.loseAttempt(loss)).to.equal(null)
    expect(await counts()).to.deep.equal({ 'download lost': 1, 'dispatch ok': 1, 'queue ok': 1 })
  })

  it('stages are failed where a command ends while it waits', async () => {
    const { observing, counts } = observed()
    const accountId = await store.newAccount()
    const command = newCommand(accountId)
    await store.insertCommands([command])
    await observing.commitOutcome(commitOf(command.commandId, null, failed('CANCELLED')))
    expect(await counts()).to.deep.equal({ 'dispatch failed': 1 })
  })

  async function running(podUid: string): Promise<string> {
    const accountId = await store.newAccount()
    const command = newCommand(accountId)
    const { commandId } = command
    await store.insertCommands([command])
    await store.markDispatched(commandId, `uid-${commandId}`)
    await admitWaiting(store, accountId)
    expect((await store.claimAttempt({ commandId, jobGeneration: 1, podUid })).kind).to.equal(
      'assigned',
    )
    return commandId
  }

  function observed() {
    const registry = new Registry()
    const observer = createLifecycleMetrics(registry)
    return {
      observing: createPostgresStore(store.database, { observer }),
      counts: async (): Promise<Record<string, number>> => {
        const metric = registry.getSingleMetric('cloudffmpeg_stage_seconds')
        const { values = [] } = (await metric?.get()) ?? {}
        return Object.fromEntries(
          values
            .filter((value) => 'metricName' in value && String(value.metricName).endsWith('_count'))
            .map(({ labels, value }) => [`${labels['stage']} ${labels['outcome']}`, value]),
        )
      },
    }
  }
})
