import { expect } from 'chai'
import { patienceMs } from '../../local-cluster/host/wait-for.ts'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { refused, submitAndWait } from '../steps/submit-and-wait.ts'
import { storedObjects } from '../steps/stored-outputs.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'

describe('a developer stores files', () => {
  const env = useEnvironment()

  async function stored(name: string): Promise<FileRecord> {
    const { file_id } = await env.client.storeFile({ file_url: env.origin.url(name) })
    return env.client.waitForFile(file_id, { pollMs: 200, signal: AbortSignal.timeout(patienceMs) })
  }

  const kinds: readonly { name: string; facts: Partial<FileRecord> }[] = [
    {
      name: 'clip.mp4',
      facts: { file_type: 'video', file_format: 'mp4', codec: 'h264', width: 320, height: 240 },
    },
    {
      name: 'cover.mp3',
      facts: { file_type: 'audio', file_format: 'mp3', codec: 'mp3', width: null },
    },
    { name: 'picture.png', facts: { file_type: 'image', codec: 'png', duration: null } },
    { name: 'words.srt', facts: { file_type: 'subtitles', codec: 'subrip' } },
    { name: 'corrupt.mp4', facts: { file_type: 'other', codec: null, duration: null } },
    { name: 'empty.mp4', facts: { size_mbytes: 0, codec: null } },
  ]
  for (const { name, facts } of kinds) {
    it(`a developer gets ${name} back with what is known of it`, async () => {
      const record = await stored(name)
      expect(record.error_status).to.equal(null)
      expect(record).to.include({
        status: 'STORED',
        service_store_type: 'STORED_FILE',
        original_file_url: env.origin.url(name),
        command_id: null,
        ...facts,
      })
      const answer = await fetch(record.storage_url ?? '')
      expect(answer.status).to.equal(200)
      const bytes = await answer.arrayBuffer()
      expect(bytes.byteLength / 1_048_576).to.equal(record.size_mbytes)
    })
  }

  it('reads that a web page is not a media file, and which address does not answer', async () => {
    const page = await stored('page.mp4')
    expect(page).to.include({ status: 'FAILED', error_status: 'UNREACHABLE_INPUT_FILE' })
    expect(page.external_error_message).to.match(/web page/)
    const absent = await stored('absent.mp4')
    expect(absent).to.include({ status: 'FAILED', error_status: 'UNREACHABLE_INPUT_FILE' })
    expect(absent.external_error_message).to.match(/404/)
    const metadata = env.client.storeFile({ file_url: 'http://169.254.169.254/x.mp4' })
    const { status, detail } = await refused(metadata)
    expect(status).to.equal(422)
    expect(detail).to.contain('169.254.169.254 is not a public address')
  })

  it('uses a stored file as the input of a command, then deletes it: the record stays, the object goes', async () => {
    const { file_id, storage_url } = await stored('clip.mp4')
    const input = { in_1: storage_url ?? '' }
    const submission = {
      input_files: input,
      output_files: { out_1: 'still.png' },
      ffmpeg_command: '-i {{in_1}} -frames:v 1 {{out_1}}',
    }
    expect((await submitAndWait(env.client, submission)).error_message).to.equal(null)
    const listed = await env.client.listFiles({ limit: 50 })
    expect(listed.map((file) => file.file_id)).to.include(file_id)

    await env.client.deleteFile(file_id)
    const deleted = await env.client.getFile(file_id)
    expect(deleted).to.include({ is_deleted: true, storage_url: null, codec: 'h264' })
    expect(await refused(env.client.deleteFile(file_id))).to.include({ status: 404 })
    const after = await env.client.listFiles({ limit: 1000 })
    expect(after.map((file) => file.file_id)).not.to.include(file_id)
    await eventually('the object is gone', async () => {
      return (await storedObjects(env, file_id)).length === 0
    })
    const again = await submitAndWait(env.client, submission)
    expect(again).to.include({ status: 'FAILED', error_status: 'UNREACHABLE_INPUT_FILE' })
  })

  it('deletes many files at once or none, and all that a command has stored', async () => {
    const files = await Promise.all(['picture.png', 'words.srt'].map(stored))
    const ids = files.map((file) => file.file_id)
    const unknown = '0197a3f1-a001-7c3a-8d11-5b1c2e6f7a02'
    const none = await refused(env.client.bulkDeleteFiles({ file_ids: [...ids, unknown] }))
    expect(none).to.deep.equal({ status: 404, detail: `Files not found: ${unknown}` })
    expect((await env.client.getFile(ids[0] ?? '')).is_deleted).to.equal(false)
    const { deleted_file_ids } = await env.client.bulkDeleteFiles({ file_ids: ids })
    expect(deleted_file_ids).to.deep.equal(ids)

    const command = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_1: 'one.png', out_2: 'two.png' },
      ffmpeg_command:
        '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}} -frames:v 1 {{out_2}}',
    })
    await env.client.deleteCommandFiles(command.command_id)
    const record = await env.client.getCommand(command.command_id)
    const outputs = Object.values(record.output_files ?? {})
    expect(outputs.map((file) => [file.is_deleted, file.storage_url])).to.deep.equal([
      [true, null],
      [true, null],
    ])
    const twice = await refused(env.client.deleteCommandFiles(command.command_id))
    expect(twice).to.deep.equal({
      status: 404,
      detail: `Command files not found: ${command.command_id}`,
    })
  })
})
