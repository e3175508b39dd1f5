import { expect } from 'chai'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { resultKey } from '../../common/domain/storage-keys.ts'
import { readResult } from '../../common/storage/result-object.ts'
import { commitOf, failed, newFile, newId } from '../../testing/store-contract/fixtures.ts'
import type { Outcome } from '../../common/store/attempts.ts'
import { useWorld } from './use-world.fixture.ts'

const accountId = '0197a0c2-0000-7000-8000-000000000001'

describe('controller, when the database loses commits', () => {
  const world = useWorld()
  const shown = (commandId: string) => world.status(customResourceName(commandId))?.state
  const storage = {
    readBytes: ({ key }: { key: string }) => Promise.resolve(world.kept.get(key) ?? null),
  }

  /** Runs the command to its end. @returns how to lose all commits since its submission or its claim */
  async function end(
    commandId: string,
    since: 'submission' | 'claim',
    outcome: Outcome = { status: 'SUCCESS', files: [newFile(commandId)] },
  ) {
    let lose = world.remember()
    const pod = await world.run(commandId)
    if (since === 'claim') lose = world.remember()
    await world.store.commitOutcome(commitOf(commandId, pod.uid, outcome))
    await world.clock.advance(3_000)
    return { pod, lose }
  }

  it('stores the result of a SUCCESS before the custom resource shows it', async () => {
    const commandId = newId()
    const pod = await world.run(commandId)
    world.outage.storage = true
    const file = newFile(commandId)
    const outcome: Outcome = { status: 'SUCCESS', files: [file] }
    await world.store.commitOutcome(commitOf(commandId, pod.uid, outcome))
    await world.clock.advance(6_000)
    expect(shown(commandId)).to.not.equal('SUCCESS')
    world.outage.storage = false
    await world.clock.advance(3_000)
    expect(shown(commandId)).to.equal('SUCCESS')
    const of = { accountId, commandId, attempt: pod.uid }
    expect(await readResult(storage, of)).to.deep.equal(await world.store.findResult(commandId))
    expect((await readResult(storage, of))?.files).to.deep.equal([file])
    expect([...world.kept.keys()]).to.deep.equal([resultKey(of)])
    expect(await readResult(storage, { ...of, attempt: 'another' })).to.equal(null)
  })

  it('shows a SUCCESS without its result when the object store is unavailable for 10 s', async () => {
    const commandId = newId()
    const pod = await world.run(commandId)
    world.outage.storage = true
    await world.succeed(commandId, pod.uid)
    await world.clock.advance(9_000)
    expect(shown(commandId)).to.not.equal('SUCCESS')
    await world.clock.advance(4_000)
    expect(shown(commandId)).to.equal('SUCCESS')
    expect(world.kept.size).to.equal(0)
  })

  it('records a shown SUCCESS again as it was, and runs nothing a second time', async () => {
    const commandId = newId()
    const { lose } = await end(commandId, 'claim')
    const before = await world.store.findCommand(accountId, commandId)
    lose()
    expect((await world.rowOf(commandId)).status).to.equal('PROCESSING')
    await world.clock.advance(20_000)
    const { version: _before, ...record } = before ?? {}
    expect(await world.store.findCommand(accountId, commandId)).to.deep.include(record)
    expect(shown(commandId)).to.equal('SUCCESS')
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
  })

  it('inserts a lost row again, with the SUCCESS that was shown', async () => {
    await world.submit(newId())
    const commandId = newId()
    const { lose } = await end(commandId, 'submission')
    const { version: _version, ...record } =
      (await world.store.findCommand(accountId, commandId)) ?? {}
    lose()
    expect(await world.store.findForReconcile(commandId)).to.equal(null)
    await world.clock.advance(20_000)
    expect(await world.store.findCommand(accountId, commandId)).to.deep.include(record)
    expect(shown(commandId)).to.equal('SUCCESS')
  })

  it('runs a command again that had not ended when its row was lost', async () => {
    await world.submit(newId())
    const lose = world.remember()
    const commandId = newId()
    await world.submit(commandId)
    lose()
    await world.clock.advance(20_000)
    expect(await world.rowOf(commandId)).to.include({ status: 'QUEUED', admitted: true })
    expect(world.jobNames()).to.include(jobName(commandId, 1))
  })

  it('shows RecordLost when a lost row cannot be inserted again', async () => {
    const fileId = newId()
    const name = customResourceName(fileId, 'StoredFile')
    const source = { upload: { key: `public/${accountId}/${fileId}/a.mp4`, name: 'a.mp4' } }
    await world.dispatched({ fileId, account: 'acme', source, private: false })
    await world.clock.advance(3_000)
    const object = world.server.cluster.get('StoredFile', 'media', name)
    expect(object?.status).to.include({ state: 'FAILED', reason: 'RecordLost' })
    expect(world.events).to.deep.equal(['RecordLost'])
  })

  it('records a SUCCESS that was kept and not yet shown, before it admits anything', async () => {
    const commandId = newId()
    await world.submit(commandId)
    const lose = world.remember()
    const pod = await world.runPod(commandId)
    await world.succeed(commandId, pod.uid)
    await world.clock.advance(3_000)
    world.server.cluster.updateStatus(
      'FfmpegCommand',
      'media',
      customResourceName(commandId),
      () => ({ state: 'PROCESSING', attempt: pod.uid }),
    )
    lose()
    await world.clock.advance(20_000)
    expect(await world.rowOf(commandId)).to.include({
      status: 'SUCCESS',
      attempt: pod.uid,
      jobGeneration: 1,
      attempts: 1,
    })
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
  })

  it('records a shown failure again, with its time', async () => {
    const commandId = newId()
    const { lose } = await end(commandId, 'claim', failed('FFMPEG_FAILED'))
    const { finishedAt } = await world.rowOf(commandId)
    lose()
    await world.clock.advance(20_000)
    const row = await world.rowOf(commandId)
    expect(row).to.include({ ...failed('FFMPEG_FAILED') })
    expect(row.finishedAt?.getTime()).to.equal(finishedAt?.getTime())
  })

  it('sweeps no attempt whose result object says SUCCESS while no other attempt has won', async () => {
    const commandId = newId()
    const { lose, pod } = await end(commandId, 'claim')
    lose()
    // A writer that looks at the row alone does this.
    await world.store.commitOutcome(commitOf(commandId, pod.uid, failed('CANCELLED')))
    await world.clock.advance(300_000)
    expect(world.swept).to.deep.equal([])
  })
})
