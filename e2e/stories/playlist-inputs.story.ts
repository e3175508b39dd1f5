import { expect } from 'chai'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { runnerRoot } from '../../images/build-runner.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import { useEnvironment } from '../steps/environment.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

describe('a playlist or a list of another server as an input', () => {
  const env = useEnvironment()
  let root = ''
  let folder = ''
  let url = ''
  let close: () => unknown = () => undefined
  const requests: string[] = []

  before(async () => {
    root = await runnerRoot({ settings: clusterSettings(process.env), say: () => undefined })
    folder = await mkdtemp(path.join(root, 'tmp/playlists-'))
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://h')
      requests.push(pathname)
      readFile(path.join(folder, pathname)).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      )
    })
    ;({ url, close } = await listenAt(env.cluster.hostAddress, server))
  })
  after(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })

  const clip = (...more: string[]) => [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x120:r=10:d=6',
    '-f',
    'lavfi',
    '-i',
    'sine=d=6',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '20',
    '-c:a',
    'aac',
    ...more,
  ]
  const hls = ['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod']

  it('a playlist is converted with all of its segments', async () => {
    await make(clip(...hls), 'plain.m3u8')
    await succeeds('plain.m3u8', 6)
  })

  it('a playlist is converted from fragmented MP4', async () => {
    const fragments = ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'init.mp4']
    await make(clip(...hls, ...fragments), 'fragments.m3u8')
    await succeeds('fragments.m3u8', 6)
  })

  it('a playlist is converted as its best variant, with its sound', async () => {
    const variants = ['-map', '0:v', '-map', '1:a', '-var_stream_map', 'v:0,agroup:s a:0,agroup:s']
    const master = ['-master_pl_name', 'master.m3u8']
    await make(clip(...variants, ...hls, ...master), 'v%v.m3u8')
    const record = await succeeds('master.m3u8', 6)
    expect(record.output_files?.['out_1']).to.include({ width: 160, height: 120 })
    expect(record.output_files?.['out_1']?.bitrate_audio_kb).to.be.above(0)
  })

  it('a playlist is decrypted where its key is public', async () => {
    await writeFile(path.join(folder, 'secret'), '0123456789abcdef')
    const info = `${url}/secret\n${inside('secret')}\n`
    await writeFile(path.join(folder, 'info'), info)
    const key = ['-hls_key_info_file', inside('info')]
    await make(clip(...hls, ...key), 'locked.m3u8')
    await succeeds('locked.m3u8', 6)
    expect(requests).to.include('/secret')
  })

  it('a playlist is taken for the time of -t while it is live', async () => {
    await make(clip(...hls), 'live.m3u8')
    const text = await readFile(path.join(folder, 'live.m3u8'), 'utf8')
    const live = text.replace(/#EXT-X-(?:ENDLIST|PLAYLIST-TYPE:VOD)\n/g, '')
    await writeFile(path.join(folder, 'live.m3u8'), live)
    const refused = await run('live.m3u8', '-i {{in_1}} -c copy {{out_1}}')
    expect(refused).to.include({ status: 'FAILED', error_status: 'INVALID_INPUT_FILE' })
    expect(refused.error_message).to.contain('live stream; add -t')
    const record = await run('live.m3u8', '-t 3 -i {{in_1}} -c copy {{out_1}}')
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
  })

  it('an input is converted from a DASH manifest, with its sound', async () => {
    await make(clip('-f', 'dash', '-seg_duration', '2'), 'film.mpd')
    const record = await succeeds('film.mpd', 6)
    expect(record.output_files?.['out_1']).to.include({ width: 160, height: 120 })
    expect(record.output_files?.['out_1']?.bitrate_audio_kb).to.be.above(0)
  })

  it('an input is joined from a list of clips, one of them another input', async () => {
    const names = ['first.mp4', 'second.mp4', 'third.mp4']
    for (const name of names) await make(clip('-t', '2'), name)
    const list = `file '${url}/first.mp4'\nfile second.mp4\nfile '{{in_2}}'\n`
    await writeFile(path.join(folder, 'list.txt'), list)
    const record = await submitAndWait(env.client, {
      input_files: { in_1: `${url}/list.txt`, in_2: `${url}/third.mp4` },
      output_files: { out_1: 'out.mp4' },
      ffmpeg_command: '-f concat -safe 0 -i {{in_1}} -c copy {{out_1}}',
    })
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
    expect(record.output_files?.['out_1']?.duration).to.be.closeTo(6, 0.3)
  })

  it('an input is not joined from a list that names a path of a disk', async () => {
    await writeFile(path.join(folder, 'paths.txt'), "file '/home/me/a.mp4'\n")
    const record = await run('paths.txt', '-f concat -safe 0 -i {{in_1}} -c copy {{out_1}}')
    expect(record).to.include({ status: 'FAILED', error_status: 'INVALID_INPUT_FILE' })
    expect(record.error_message).to.contain('line 1 of the list')
  })

  /** Path of a file for programs of the runner image. */
  function inside(name: string): string {
    return `/${path.relative(root, path.join(folder, name))}`
  }

  /** A playlist and all that belongs to it, in the folder. */
  async function make(args: readonly string[], name: string): Promise<void> {
    await runCommand('chroot', [
      root,
      '/usr/bin/ffmpeg',
      '-v',
      'error',
      '-y',
      ...args,
      inside(name),
    ])
  }

  async function succeeds(name: string, seconds: number) {
    const record = await run(name, '-i {{in_1}} -c copy {{out_1}}')
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
    expect(record.output_files?.['out_1']?.duration).to.be.closeTo(seconds, 0.3)
    return record
  }

  function run(name: string, command: string) {
    return submitAndWait(env.client, {
      input_files: { in_1: `${url}/${name}` },
      output_files: { out_1: 'out.mp4' },
      ffmpeg_command: command,
    })
  }
})
