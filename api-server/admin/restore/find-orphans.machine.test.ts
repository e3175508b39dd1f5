import { expect } from 'chai'
import { attemptPrefix, logKey, resultKey, uploadKey } from '../../../common/domain/storage-keys.ts'
import { failed, commitOf, newId } from '../../../testing/store-contract/fixtures.ts'
import { useResource } from '../../../testing/support/mocha.ts'
import { start } from '../../../testing/support/api/outcomes.ts'
import { openRestored } from './restored.fixture.ts'

interface Orphans {
  readonly owners: number
  readonly objects: number
  readonly bytes: number
  readonly new_objects: number
}

describe('admin check --restore and objects without a row', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  const restored = useResource(openRestored)
  before(() => restored.compared())

  const check = async (...args: string[]) => {
    const { code, output } = await restored.admin('check', '--restore', '--json', ...args)
    const { restore } = JSON.parse(output) as {
      restore: { orphans: Orphans; unknown_objects: number; objects: number }
    }
    return { code, ...restore }
  }
  const recorded = () =>
    restored.app.query<{ owner: string; attempt: string; objects: number }>(
      'recorded',
      'select owner_id as owner, attempt, objects from orphans order by owner_id, attempt',
    )
  const none = { owners: 0, objects: 0, bytes: 0, new_objects: 0 }
  const folderOf = (commandId: string, attempt: string, visibility: 'public' | 'private') =>
    attemptPrefix({ visibility, accountId: restored.accountId, commandId, attempt })

  it('counts none of the objects that a row explains', async () => {
    const { app, accountId, put } = restored
    const file = await restored.stored()
    await put(logKey({ accountId, commandId: file.commandId }))
    await put(resultKey({ accountId, commandId: file.commandId, attempt: file.attempt }))
    const running = await app.submit()
    await put(`${folderOf(running, await start(app, running), 'public')}o.mp4`)
    // The claim of this attempt was lost; its runner may report.
    await put(`${folderOf(running, 'claim-lost', 'public')}o.mp4`)
    const ended = await app.submit()
    const attempt = await start(app, ended)
    await put(`${folderOf(ended, attempt, 'public')}o.mp4`)
    await app.store.commitOutcome(commitOf(ended, attempt, failed('FFMPEG_FAILED')))
    const deleted = await restored.stored()
    await app.remove(`/v1/files/${deleted.fileId}`)
    const fileId = newId()
    const upload = { visibility: 'public', accountId, fileId, name: 'a.mov' } as const
    await app.store.insertStoredFile({
      fileId,
      accountId,
      environmentName: null,
      isPrivate: false,
      webhookUrl: null,
      originalFileUrl: 'https://media.example/a.mov',
    })
    await put(uploadKey(upload))
    await put(`${folderOf(fileId, 'pod', 'public')}a.mov`)
    const { code, orphans } = await check()
    expect(orphans).to.deep.equal(none)
    expect(code).to.equal(0)
  })

  it('counts keys that the service does not write, and never records them', async () => {
    await restored.put('public/index.html')
    expect(await check()).to.deep.include({ code: 0, unknown_objects: 1, orphans: none })
  })

  it('rehearses without a record', async () => {
    const { accountId, put } = restored
    const commandId = newId()
    await put(`${folderOf(commandId, 'pod', 'private')}o.mp4`, 100)
    await put(logKey({ accountId, commandId }), 20)
    await put(resultKey({ accountId, commandId, attempt: 'pod' }), 3)
    const { code, orphans } = await check('--dry-run')
    expect(orphans).to.deep.equal({ owners: 1, objects: 3, bytes: 123, new_objects: 3 })
    expect(code).to.equal(1)
    expect(await recorded()).to.deep.equal([])
  })

  it('records those of a command without a row as one, and fails only when some are new', async () => {
    expect(await check()).to.deep.include({ code: 1 })
    const rows = await recorded()
    expect(rows).to.have.length(1)
    expect(rows[0]).to.include({ attempt: '', objects: 3 })
    const again = await check()
    expect(again.orphans).to.deep.equal({ owners: 1, objects: 3, bytes: 123, new_objects: 0 })
    expect(again.code).to.equal(0)
  })

  it('records an attempt whose command has ended with another one', async () => {
    const file = await restored.stored()
    await restored.put(`${folderOf(file.commandId, 'lost-claim', 'public')}o.mp4`)
    const other = { accountId: restored.accountId, commandId: file.commandId }
    await restored.put(resultKey({ ...other, attempt: 'lost-claim' }))
    expect((await check()).orphans).to.include({ owners: 2, new_objects: 2 })
    const rows = await recorded()
    expect(rows).to.deep.include({ owner: file.commandId, attempt: 'lost-claim', objects: 2 })
  })

  it('leaves an attempt of a failed command whose result object says SUCCESS', async () => {
    const { app, accountId, put } = restored
    const commandId = await app.submit()
    await app.store.commitOutcome(commitOf(commandId, null, failed('START_TIMEOUT')))
    const before = (await check()).orphans
    await put(`${folderOf(commandId, 'lost-claim', 'public')}o.mp4`)
    const result = await put(resultKey({ accountId, commandId, attempt: 'lost-claim' }))
    expect((await check()).orphans).to.deep.equal(before)
    await restored.objects.deleteObjects([result])
    expect((await check()).orphans).to.include({ owners: before.owners + 1, new_objects: 1 })
  })

  it('reads objects of one account alone when it checks one', async () => {
    const other = await restored.app.addAccount('other', 'pro', 'key-of-other')
    expect(await check('--account', other.name)).to.deep.include({ objects: 0, orphans: none })
  })

  it('adds up the objects of one command over the pages of the list', async () => {
    const before = (await check()).orphans
    const folder = folderOf(newId(), 'pod', 'public')
    await Promise.all(Array.from({ length: 1_005 }, (_, at) => restored.put(`${folder}${at}.ts`)))
    const { orphans } = await check()
    expect(orphans).to.include({ owners: before.owners + 1, new_objects: 1_005 })
    expect((await check()).orphans).to.include({ owners: orphans.owners, new_objects: 0 })
  })

  it('finds objects of an account that the database does not have', async () => {
    const before = (await check()).orphans
    await restored.put(`public/${newId()}/${newId()}/pod/o.mp4`)
    expect((await check()).orphans).to.include({ owners: before.owners + 1, new_objects: 1 })
  })
})
