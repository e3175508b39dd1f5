import { expect } from 'chai'
import { useResource } from '../../../testing/support/mocha.ts'
import { unknownMedia } from '../../../common/gateway/unknown-media.ts'
import { openRestored } from './restored.fixture.ts'

describe('admin check --restore and the files without an object', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  const restored = useResource(openRestored)
  const admin = (...args: string[]) => restored.admin('check', ...args)
  const lostFiles = async (...args: string[]): Promise<unknown[]> => {
    const { output } = await admin('--restore', '--json', ...args)
    const { restore } = JSON.parse(output) as { restore: { lost: { file_id: string }[] } }
    return restore.lost.map(({ file_id: id }) => id)
  }
  const bytesKept = async () => (await restored.app.store.readUsage(restored.accountId)).storedBytes

  it('refuses while the operator may still record commands again', async () => {
    const { code, errors } = await admin('--restore', '--dry-run')
    expect(code).to.equal(1)
    expect(errors).to.match(/^admin: the operator has not compared the custom resources with/)
    await restored.compared()
  })

  it('finds no difference while each file has its object, and reads alone without the flag', async () => {
    await restored.stored()
    const { code, output } = await admin('--restore')
    expect(output).to.include('Each of 1 stored files has its object.')
    expect(output).to.include('Each of 1 objects belongs to a row.')
    expect(code).to.equal(0)
    const actions = await restored.app.store.listAdminActions(10)
    expect(actions).to.have.length(1)
    expect(actions[0]).to.deep.include({ command: 'check', arguments: ['--restore'] })
    await admin()
    expect(await restored.app.store.listAdminActions(10)).to.have.length(1)
  })

  it('changes nothing when it rehearses, and shows what it would mark', async () => {
    const file = await restored.stored()
    await restored.objects.deleteObjects([file.key])
    const { code, output } = await admin('--restore', '--dry-run')
    expect(output).to.match(/^1 of 2 stored files are lost: their objects are missing\.$/m)
    expect(output).to.include(file.key).and.include('This is a dry run: nothing was changed.')
    expect(code).to.equal(1)
    const record = await restored.app.record(`/v1/files/${file.fileId}`)
    expect(record).to.include({ is_deleted: false, error_status: null })
    expect(await restored.app.store.listAdminActions(10)).to.have.length(1)
  })

  it('marks them as lost once, with the reason in the record, and gives their bytes back once', async () => {
    const file = await restored.stored()
    await restored.objects.deleteObjects([file.key])
    const before = await bytesKept()
    const lost = await lostFiles()
    expect(lost).to.have.length(2).and.include(file.fileId)
    expect(await bytesKept()).to.equal(before - 2 * file.sizeBytes)
    const reason = {
      status: 'STORED',
      is_deleted: true,
      storage_url: null,
      error_status: 'STORAGE_ERROR',
      external_error_message: 'The stored file is missing in the bucket',
    }
    expect(await restored.app.record(`/v1/files/${file.fileId}`)).to.include(reason)
    const command = await restored.app.record(`/v1/commands/${file.commandId}`)
    expect(command).to.include({ status: 'SUCCESS' })
    expect(command).to.have.nested.property('output_files.out_1').that.includes(reason)
    expect(await lostFiles()).to.deep.equal([])
    expect((await admin('--restore')).code).to.equal(0)
    expect(await bytesKept()).to.equal(before - 2 * file.sizeBytes)
    expect((await admin()).code).to.equal(0)
  })

  it('leaves files of other accounts unread when it checks one', async () => {
    const file = await restored.stored()
    await restored.objects.deleteObjects([file.key])
    const other = await restored.app.addAccount('other', 'pro', 'key-of-other')
    expect(await lostFiles('--account', other.name)).to.deep.equal([])
    expect(await lostFiles('--account', restored.app.account.name)).to.deep.equal([file.fileId])
  })

  it('keeps what is left of a lost playlist for seven days, without a dead letter', async () => {
    const media = { ...unknownMedia, file_type: 'output_manifest' }
    const list = await restored.stored({ fileCount: 2, media }, 'list/out.m3u8')
    await restored.put(`${list.folder}list/1.ts`)
    await restored.objects.deleteObjects([list.key])
    expect(await lostFiles()).to.deep.equal([list.fileId])
    const { store } = restored.app
    expect(await store.findSweepableFiles({ limit: 10 })).to.deep.equal([])
    expect(await store.fileSweepBacklog()).to.include({ due: 0, failing: 0 })
    const letters = { kind: 'sweep', accountId: null, limit: 10 } as const
    expect(await store.listDeadLetters(letters)).to.deep.equal([])
    await restored.app.age(7 * 86_400 - 60)
    expect(await store.findSweepableFiles({ limit: 10 })).to.deep.equal([])
    await restored.app.age(120)
    const due = await store.findSweepableFiles({ limit: 10 })
    expect(due.map(({ fileId }) => fileId)).to.deep.equal([list.fileId])
  })

  it('reads every page of files, also of files that were stored at the same time', async () => {
    const { restore } = JSON.parse((await admin('--restore', '--dry-run', '--json')).output) as {
      restore: { files: number }
    }
    await restored.app.query(
      'many_files',
      `insert into files (file_id, account_id, is_private, store_type, status, key, size_bytes)
       select id, $1::uuid, false, 'STORED_FILE', 'STORED', 'public/' || $1::text || '/' || id || '/a.mov', 1
       from (select gen_random_uuid() as id from generate_series(1, 1100)) ids`,
      [restored.accountId],
    )
    expect(await lostFiles()).to.have.length(1_100)
    const after = JSON.parse((await admin('--restore', '--json')).output) as {
      restore: { files: number }
    }
    expect(after.restore.files).to.equal(restore.files)
    expect((await admin()).code).to.equal(0)
  })

  it('sweeps what is left of a lost playlist at once when its account is deleted', async () => {
    const media = { ...unknownMedia, file_type: 'output_manifest' }
    const list = await restored.stored({ fileCount: 1, media }, 'list/out.m3u8')
    await restored.objects.deleteObjects([list.key])
    await lostFiles()
    await restored.app.store.beginAccountDeletion(restored.accountId)
    const due = await restored.app.store.findSweepableFiles({ limit: 10 })
    expect(due.map(({ fileId }) => fileId)).to.include(list.fileId)
  })
})

describe('admin check --restore on a bucket that has the object of no file', function () {
  this.timeout(600_000)
  const restored = useResource(openRestored)

  it('refuses to mark all files, unless that is wanted', async () => {
    await restored.compared()
    const file = await restored.stored()
    await restored.objects.deleteObjects([file.key])
    const refused = await restored.admin('check', '--restore')
    expect(refused.code).to.equal(1)
    expect(refused.errors).to.match(
      /^admin: bucket test-\d+ has the object of none of the 1 stored files, so nothing was changed/,
    )
    const path = `/v1/files/${file.fileId}`
    expect(await restored.app.record(path)).to.include({ is_deleted: false })
    const alone = await restored.admin('check', '--all-lost')
    expect(alone).to.include({ code: 2, errors: 'admin: --all-lost must come with --restore' })
    const { code } = await restored.admin('check', '--restore', '--all-lost')
    expect(code).to.equal(1)
    expect(await restored.app.record(path)).to.include({ is_deleted: true })
  })
})
