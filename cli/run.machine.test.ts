import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { outputKey } from '../common/domain/storage-keys.ts'
import { unknownMedia } from '../common/gateway/unknown-media.ts'
import { useFolder } from '../testing/support/mocha.ts'
import { newFile, commitOf } from '../testing/store-contract/fixtures.ts'
import { useFilesApp } from '../testing/support/api/files.ts'
import { cli } from './cli.fixture.ts'
import { createClient } from './client/client.ts'
import { pro, unknownId } from '../testing/support/api/app.ts'
import { fail, start } from '../testing/support/api/outcomes.ts'
import type { CommandStatusRecord } from '../common/openapi/openapi-types.ts'
import type { Ran } from './cli.fixture.ts'

describe('cloud-ffmpeg run', () => {
  const app = useFilesApp({ plans: { pro, basic: { ...pro, uploads: false } } })
  const inFolder = useFolder()
  let clip: string
  let small: string
  before(() => app.addAccount('basic', 'basic', 'key-of-basic'))
  beforeEach(async () => {
    clip = inFolder('my clip.mov')
    small = inFolder('small one.mp4')
    await writeFile(clip, 'a clip')
  })

  const run = (args: string[], world: Partial<Parameters<typeof cli>[1]> = {}): Promise<Ran> =>
    cli(['run', ...args], {
      url: app.url,
      key: app.key,
      folder: inFolder(),
      onSubmitted: succeed,
      ...world,
    })

  const arguments_ = ['--', '-i', '{{in_1}}', '-vf', "drawtext=text='a b'", '{{out_1}}']

  async function last(): Promise<CommandStatusRecord> {
    const client = createClient({ url: app.url, apiKey: app.key })
    const [newest] = await client.listCommands({ limit: 1 })
    return client.getCommand(newest?.command_id ?? '')
  }

  /** Ends the command as a runner would, with one private output. */
  async function succeed(commandId: string): Promise<void> {
    const attempt = await start(app, commandId)
    const place = { visibility: 'private', accountId: unknownId, commandId, attempt } as const
    const key = outputKey({ ...place, path: 'small_one.mp4' })
    const bytes = new TextEncoder().encode('a small one')
    await app.objects.putBytes({ key, bytes, contentType: 'video/mp4', attachment: false })
    const media = { ...unknownMedia, duration: 3, width: 4, height: 2, codec: 'h264' }
    const mp4 = { file_type: 'video', file_format: 'mp4', mime_type: 'video/mp4' }
    const sizes = { sizeBytes: bytes.length, media: { ...media, ...mp4 } }
    const files = [{ ...newFile(commandId), key, ...sizes }]
    await app.store.commitOutcome(commitOf(commandId, attempt, { status: 'SUCCESS', files }))
  }

  it('prints the log of an analysis, which has no output', async () => {
    const measured = async (commandId: string): Promise<void> => {
      const attempt = await start(app, commandId)
      const logs = [{ step: 0, sequence: 0, text: 'max_volume: -3.0 dB\n' }]
      await app.store.commitOutcome({ ...commitOf(commandId, attempt), logs })
    }
    const analysis = ['--', '-i', '{{in}}', '-af', 'volumedetect', '-f', 'null', '-']
    const { code, out } = await run(['-i', clip, ...analysis], { onSubmitted: measured })
    expect([code, out]).to.deep.equal([0, 'max_volume: -3.0 dB\n'])
    const { output_files: made, original_request: sent } = await last()
    expect([made, sent?.output_files]).to.deep.equal([{}, {}])
  })

  it('uploads a local file, runs, downloads, and deletes the upload', async () => {
    const args = ['-i', `in_1=${clip}`, '-o', `out_1=${small}`, '--private', '--metadata', 'a=b']
    const { code, err } = await run([...args, '--vcpu', '2', '--timeout', '9.5', ...arguments_])
    expect(err).to.match(/small one\.mp4: h264, 4x2, 3\.0 s/)
    expect(code).to.equal(0)
    expect(await readFile(small, 'utf8')).to.equal('a small one')
    const { original_request: sent } = await last()
    expect(sent).to.deep.include({
      ffmpeg_command: `-i {{in_1}} -vf 'drawtext=text='\\''a b'\\''' {{out_1}}`,
      output_files: { out_1: 'small_one.mp4' },
      vcpu_count: 2,
      max_command_run_seconds: 9.5,
      metadata: { a: 'b' },
      is_private: true,
    })
    expect(sent?.input_files?.['in_1']).to.match(/\/private\/.*my_clip\.mov$/)
    const client = createClient({ url: app.url, apiKey: app.key })
    expect(
      (await client.listFiles()).filter((one) => one.original_file_url !== null),
    ).to.deep.equal([])
  })

  it('accepts URLs, and prints the record or the URLs instead of downloading', async () => {
    const args = ['-i', 'in_1=https://media.example/a.mov', '-o', `out_1=${small}`, '--no-download']
    const json = await run([...args, '--json', ...arguments_])
    expect(JSON.parse(json.out)).to.include({ status: 'SUCCESS' })
    const urls = await run([...args, ...arguments_])
    expect(urls.out).to.match(/^out_1 http.*small_one\.mp4\n$/)
  })

  it('prints the id alone when detached', async () => {
    const args = ['-i', 'in_1=https://media.example/a.mov', '-o', `out_1=${small}`, '--detach']
    const { out, err } = await run([...args, ...arguments_], {
      onSubmitted: async () => undefined,
    })
    expect(out.trim()).to.equal((await last()).command_id)
    expect(err).to.contain(`${app.url}/console/commands/${out.trim()}\n`)
    await fail(app, out.trim())
  })

  it('the tool exits with 1 and the reason when the command fails', async () => {
    const args = ['-i', `in_1=${clip}`, '-o', `out_1=${small}`]
    const { code, err, out } = await run([...args, ...arguments_], {
      onSubmitted: (id) => fail(app, id),
    })
    expect([code, out]).to.deep.equal([1, ''])
    expect(err).to.match(/CANCELLED: Cancelled by request\n$/)
  })

  it('runs a command as it was written for FFmpeg, and says what it understood', async () => {
    const { code, err } = await run(['--private', 'ffmpeg', '-y', '-i', clip, '-an', small])
    expect(err)
      .to.contain(`in_1 = ${clip}\nout_1 = ${small}\ncommand: -y -i {{in_1}} -an {{out_1}}\n`)
      .and.to.match(/small one\.mp4: h264/)
    expect(code).to.equal(0)
    expect(await readFile(small, 'utf8')).to.equal('a small one')
    const both = await run(['-o', 'out_1=a.mp4', 'ffmpeg', '-i', clip, small])
    expect([both.code, both.err]).to.match(/^2,.*leave -i and -o out/)
  })

  it('checks the command and runs nothing with --dry-run, with a mark under the mistake', async () => {
    const known = (await last()).command_id
    const good = await run(['--dry-run', 'ffmpeg', '-i', clip, '-an', small])
    expect(JSON.parse(good.out)).to.deep.equal(['-i', '../in/in_1.mov', '-an', 'small_one.mp4'])
    const args = ['--dry-run', '-i', clip, '-o', small, '-i {{in_1}} -vf {{in_9}} {{out}}']
    const bad = await run(args)
    expect([bad.code, bad.err]).to.match(/\n {16}\^{8}\nffmpeg_command: /)
    expect((await last()).command_id).to.equal(known)
  })

  it('runs a command again, with other vCPUs or changed in an editor', async () => {
    const url = 'https://media.example/a.mov'
    const again = async (args: string[], world: Partial<Parameters<typeof cli>[1]> = {}) =>
      cli(['rerun', ...args], {
        url: app.url,
        key: app.key,
        folder: inFolder(),
        onSubmitted: succeed,
        ...world,
      })
    await run(['-i', url, '-o', small, '--no-download', '--metadata', 'a=b', ...arguments_])
    const first = await last()
    const repeated = await again(['--last', '--vcpu', '2'])
    expect(repeated.out).to.match(/^out_1 http.*small_one\.mp4\n$/)
    const second = await last()
    expect(second.command_id).not.to.equal(first.command_id)
    expect(second.original_request).to.deep.equal({ ...first.original_request, vcpu_count: 2 })
    const edit = (text: string) => text.replace('a.mov', 'b.mov')
    const edited = await again(['--edit', '--detach', first.command_id], { edit })
    expect(edited.err).to.contain(`${app.url}/console/commands/${edited.out.trim()}`)
    expect((await last()).original_request?.input_files).to.deep.equal({
      in_1: url.replace('a.mov', 'b.mov'),
    })
    const broken = await again(['--edit', '--last'], { edit: () => '{' })
    expect([broken.code, broken.err]).to.match(/^2,.*the request is not JSON/)
    expect((await again(['--edit', '--last'], { edit: () => ' ' })).err).to.contain('is empty')
  })

  it('the tool does not run a command again whose inputs are deleted', async () => {
    await run(['-i', clip, '-o', small, ...arguments_])
    const { code, err } = await cli(['rerun', '--last', '--detach'], {
      url: app.url,
      key: app.key,
      folder: inFolder(),
    })
    expect([code, err]).to.match(/^1,.*the service has deleted in_1: give each again/)
    const made = (await last()).output_files?.['out_1']?.storage_url ?? ''
    await run(['-i', made, '-o', small, '--no-download', ...arguments_])
    const [, before] = await createClient({ url: app.url, apiKey: app.key }).listCommands()
    const of = ['files', 'delete', '--of', before?.command_id ?? '']
    expect((await cli(of, { url: app.url, key: app.key, folder: inFolder() })).code).to.equal(0)
    const chained = await cli(['rerun', '--last', '--detach'], {
      url: app.url,
      key: app.key,
      folder: inFolder(),
    })
    expect(chained.err).to.contain('the service has deleted in_1')
  })

  it('runs a command again with another file in the place of an input', async () => {
    await run(['-i', clip, '-o', small, '--private', ...arguments_])
    const first = await last()
    const again = (...args: string[]) =>
      cli(['rerun', '--last', ...args], {
        url: app.url,
        key: app.key,
        folder: inFolder(),
        onSubmitted: succeed,
      })
    const { code, out } = await again('-i', `in_1=${clip}`)
    expect([code, out]).to.match(/^0,out_1 http.*small_one\.mp4/)
    const sent = (await last()).original_request
    expect(sent?.input_files?.['in_1'])
      .to.match(/my_clip\.mov$/)
      .and.not.equal(first.original_request?.input_files?.['in_1'])
    const client = createClient({ url: app.url, apiKey: app.key })
    const kept = (await client.listFiles()).filter((one) => one.original_file_url !== null)
    expect(kept).to.deep.equal([])
    const wrong = await again('-i', `in_2=${clip}`)
    expect([wrong.code, wrong.err]).to.match(/^2,.*the command has the inputs in_1, not in_2/)
    const missing = await again('-i', inFolder('none.mov'))
    expect([missing.code, missing.err]).to.match(/^2,.*No file .*none\.mov here/)
  })

  it('downloads the outputs of a command into a folder', async () => {
    await run([
      '-i',
      'https://media.example/a.mov',
      '-o',
      small,
      '--no-download',
      '--private',
      ...arguments_,
    ])
    const download = (...args: string[]) =>
      cli(['download', '-d', inFolder('results'), ...args], {
        url: app.url,
        key: app.key,
        folder: inFolder(),
      })
    const { code, err } = await download('--last')
    expect([code, err]).to.match(/^0,.*small_one\.mp4: h264/s)
    expect(await readFile(inFolder('results/small_one.mp4'), 'utf8')).to.equal('a small one')
    expect((await download('--last')).err).to.contain('exists already; -y replaces it')
    expect((await download('-y', '--last')).code).to.equal(0)
    await fail(app, await app.submit())
    expect((await download('--last')).err).to.match(/has no outputs: it is FAILED/)
  })

  it('cancels the command with Ctrl-C', async () => {
    const stop = new AbortController()
    const args = ['-i', 'in_1=https://media.example/a.mov', '-o', `out_1=${small}`]
    const { code } = await run([...args, ...arguments_], {
      signal: stop.signal,
      onSubmitted: async () => stop.abort(new Error('interrupted')),
    })
    expect(code).to.equal(130)
    expect(await last()).to.include({ status: 'FAILED', error_status: 'CANCELLED' })
  })

  it('reports mistakes of the text before it uploads', async () => {
    const args = ['-i', `in_1=${clip}`, '-o', `out_1=${small}`, '--', '-i', '{{in_2}}', '{{out_1}}']
    const { code, err } = await run(args)
    expect(code).to.equal(1)
    expect(err)
      .to.match(/Unknown alias 'in_2'/)
      .and.not.match(/uploading/)
  })

  it('names the remedy on a plan without uploads', async () => {
    const args = ['-i', `in_1=${clip}`, '-o', `out_1=${small}`, ...arguments_]
    const { code, err } = await run(args, { key: 'key-of-basic' })
    expect(code).to.equal(1)
    expect(err).to.match(/plan 'basic' does not include uploads.*pass its URL/)
  })

  it('the tool does not overwrite files without the option', async () => {
    await writeFile(small, 'precious')
    const args = ['-i', 'in_1=https://media.example/a.mov', '-o', `out_1=${small}`]
    const refused = await run([...args, ...arguments_])
    expect(refused.code).to.equal(2)
    expect(refused.err).to.match(/exists already; -y replaces it/)
    expect((await run([...args, '-y', '--private', ...arguments_])).code).to.equal(0)
    expect(await readFile(small, 'utf8')).to.equal('a small one')
  })

  it("prints the server's 401 message for a wrong key", async () => {
    const args = ['-i', `in_1=${clip}`, '-o', `out_1=${small}`, ...arguments_]
    const { code, err } = await run(args, { key: 'wrong-key' })
    expect(code).to.equal(1)
    expect(err).to.match(/Invalid authorization key: .* \(CLOUD_FFMPEG_API_KEY\)/)
  })
})
