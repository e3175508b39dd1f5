import { expect } from 'chai'
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { directly } from '../../common/failpoint.ts'
import type { Assignment } from '../../common/gateway/messages.ts'
import { systemEffects } from '../../common/system-effects.ts'
import { createGateway } from './gateway/gateway.ts'
import { gatewayRequests } from './gateway/request.ts'
import { runCommand } from './run-command.ts'
import { startGateway } from './testing/gateway-server.ts'
import type { GatewayScript, TestGateway } from './testing/gateway-server.ts'
import { startSupervisor } from './testing/scripted-supervisor.ts'
import type { ScriptedSupervisor, SupervisorScript } from './testing/scripted-supervisor.ts'
import { startHttp } from './testing/servers.ts'
import type { TestServer } from './testing/servers.ts'

describe('one attempt at a command', () => {
  let root: string
  let origin: TestServer
  const cleanups: (() => Promise<void>)[] = []

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'transfer-')))
    await mkdir(join(root, 'in'))
    await mkdir(join(root, 'work'))
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('text'), 'clip.txt')
    zip.end()
    origin = await startHttp((request, response) => {
      if (request.url === '/clip.mp4') response.end(Buffer.alloc(100_000, 7))
      else if (request.url === '/clip.zip') zip.outputStream.pipe(response)
      else response.writeHead(404).end()
    })
    cleanups.push(
      () => origin.close(),
      () => rm(root, { recursive: true }),
    )
  })
  afterEach(async () => {
    for (const clean of cleanups.splice(0)) await clean()
  })

  it('fetches, runs, stores and reports', async () => {
    const { exitCode, gateway, supervisor } = await attempt({
      run: async (_run, say) => {
        say({ ...block, outTimeUs: 5_000_000, id: '2' })
        await writeFile(join(root, 'work/out.mp4'), 'made')
        return { code: 0, seconds: 2.5 }
      },
      probe: ({ path }) => ({ streams: 1, duration: path === 'out.mp4' ? 4 : 10 }),
    })
    expect(exitCode).to.equal(0)
    expect([...gateway.objects].map(([path, body]) => [path, String(body)])).to.deep.equal([
      ['out.mp4', 'made'],
    ])
    const [result] = gateway.results
    expect(result?.usage).to.deep.equal({
      inputBytes: 100_000,
      outputBytes: 4,
      ffmpegStarted: true,
      ffmpegRunSeconds: 2.5,
    })
    expect(result?.steps.map(({ status, exit_code }) => [status, exit_code])).to.deep.equal([
      ['SUCCESS', 0],
    ])
    expect(
      result?.outcome.status === 'SUCCESS' && result.outcome.files[0]?.media.duration,
    ).to.equal(4)
    const run = supervisor.received.find(({ type }) => type === 'run')
    expect(run?.type === 'run' && run.argv.slice(-3)).to.deep.equal(['-c:v', 'libx264', 'out.mp4'])
    await supervisor.dismissed
  })

  it('reports the prepared command before FFmpeg runs', async () => {
    const { gateway } = await attempt({ run: writes('out.mp4') })
    expect(gateway.reports.map(({ status }) => status)).to.include('PREPARED_FFMPEG_COMMAND')
  })

  it("tells FFmpeg's own reason when it fails", async () => {
    const { exitCode, gateway } = await attempt({
      run: async () => ({
        code: 187,
        tail: "[x @ 0x55d] Cannot open '../in/in_1.mp4'\nConversion failed!",
      }),
    })
    expect(exitCode).to.equal(23)
    expect(gateway.results[0]?.outcome).to.deep.equal({
      status: 'FAILED',
      errorStatus: 'FFMPEG_FAILED',
      errorMessage:
        "FFmpeg ended with exit code 187: [x] Cannot open '{{in_1}}' | Conversion failed!",
    })
    expect([...gateway.objects.keys()]).to.deep.equal([])
  })

  it('says which input could not be fetched', async () => {
    const { exitCode, gateway } = await attempt(
      { run: writes('out.mp4') },
      { inputs: [{ alias: 'in_1', url: `${origin.url}/gone.mp4?key=secret`, stored: null }] },
    )
    expect(exitCode).to.equal(20)
    expect(gateway.results[0]?.outcome).to.deep.include({
      errorStatus: 'UNREACHABLE_INPUT_FILE',
      errorMessage: `in_1: ${origin.url}/gone.mp4 answered 404 Not Found`,
    })
  })

  it('fails a command whose output is missing although FFmpeg succeeded', async () => {
    const { exitCode, gateway } = await attempt({ run: async () => ({ code: 0 }) })
    expect(exitCode).to.equal(27)
    expect(gateway.results[0]?.outcome).to.deep.include({
      errorStatus: 'MISSING_OUTPUT_FILE',
      errorMessage: 'out_1 (out.mp4) was not written or is empty',
    })
  })

  it('counts a video without a single stream as missing', async () => {
    const { exitCode } = await attempt({ run: writes('out.mp4'), probe: () => ({ streams: 0 }) })
    expect(exitCode).to.equal(27)
  })

  it('refuses what the API would have refused, for objects that never met it', async () => {
    const { exitCode, gateway } = await attempt(
      { run: writes('out.mp4') },
      { commands: ['-i {{in_1}} -vf movie=/etc/passwd {{out_1}}'] },
    )
    expect([exitCode, gateway.results[0]?.outcome.status]).to.deep.equal([28, 'FAILED'])
  })

  it('kills FFmpeg when the command is cancelled', async () => {
    const { exitCode, gateway, supervisor } = await attempt(
      { run: async () => 'hang' },
      {},
      { progress: () => ({ cancel: true }) },
    )
    expect(exitCode).to.equal(29)
    expect(supervisor.received.filter(({ type }) => type === 'kill')).to.deep.equal([
      { type: 'kill', id: null, reason: 'cancelled' },
    ])
    expect(gateway.results[0]?.outcome).to.deep.include({ errorStatus: 'CANCELLED' })
  })

  it("asks the gateway for the verdict when the neighbour's link drops", async () => {
    const { exitCode, gateway } = await attempt({ run: async () => 'drop' })
    expect(exitCode).to.equal(25)
    expect(gateway.results).to.deep.equal([])
  })

  it('leaves quietly when another attempt holds the command', async () => {
    const { exitCode } = await attempt(
      { run: writes('out.mp4') },
      {},
      {
        intercept: ({ path }, response) => {
          if (path !== '/v1/result') return false
          response.writeHead(409, { 'content-type': 'application/json' })
          response.end('{"kind":"superseded"}')
          return true
        },
      },
    )
    expect(exitCode).to.equal(30)
  })

  it('ends with the code of the outcome when the command is already final', async () => {
    const { exitCode } = await attempt(
      { run: writes('out.mp4') },
      {},
      {
        intercept: ({ path }, response) => {
          if (path !== '/v1/uploads') return false
          response.writeHead(410, { 'content-type': 'application/json' })
          response.end('{"status":"FAILED","errorStatus":"COMMAND_TIMEOUT"}')
          return true
        },
      },
    )
    expect(exitCode).to.equal(24)
  })

  it('reports again when the gateway answers 503', async () => {
    const { exitCode, gateway } = await attempt(
      { run: writes('out.mp4') },
      {},
      {
        intercept: ({ path, count }, response) => {
          if (path !== '/v1/result' || count > 1) return false
          response.writeHead(503, { 'retry-after': '0' }).end()
          return true
        },
      },
    )
    expect([exitCode, gateway.results.length]).to.deep.equal([0, 1])
  })

  it('exits 31 at SIGTERM and stores nothing', async () => {
    const interrupted = new AbortController()
    const { exitCode, gateway } = await attempt(
      {
        run: async () => {
          interrupted.abort()
          return 'hang'
        },
      },
      {},
      {},
      interrupted.signal,
    )
    expect([exitCode, gateway.results, gateway.objects.size]).to.deep.equal([31, [], 0])
  })

  it('keeps the result as a termination message', async () => {
    const { terminationMessage } = await attempt({ run: writes('out.mp4') })
    expect(JSON.parse(terminationMessage)).to.deep.include({ logs: [] })
  })

  it('stores a playlist with its manifest last', async () => {
    const folder = join(root, 'work/out_playlist_1')
    const { exitCode, gateway } = await attempt(
      {
        run: async () => {
          await writeFile(join(folder, 'a.m3u8'), 'manifest')
          await writeFile(join(folder, 'a0.ts'), 'segment')
          return { code: 0 }
        },
      },
      {
        commands: ['-i {{in_1}} {{out_playlist_1}}'],
        outputs: { out_playlist_1: 'a.m3u8' },
      },
    )
    expect(exitCode).to.equal(0)
    expect([...gateway.objects.keys()]).to.deep.equal([
      'out_playlist_1/a0.ts',
      'out_playlist_1/a.m3u8',
    ])
    expect(outputsOf(gateway)).to.deep.equal([
      { alias: 'out_playlist_1', path: 'out_playlist_1/a.m3u8', sizeBytes: 15, fileCount: 2 },
    ])
  })

  it('unpacks a zip, and stores what is new as a zip', async () => {
    const { exitCode, gateway } = await attempt(
      {
        run: async () => {
          expect(await readdir(join(root, 'work'))).to.deep.equal(['clip.txt', 'out'])
          await writeFile(join(root, 'work/out/a.png'), 'image')
          return { code: 0 }
        },
      },
      {
        commands: ['-i clip.txt out/a.png'],
        inputs: [],
        inputFolder: {
          alias: 'input_compressed_folder',
          url: `${origin.url}/clip.zip`,
          stored: null,
        },
        outputs: null,
      },
    )
    expect(exitCode).to.equal(0)
    expect(outputsOf(gateway)).to.deep.equal([
      {
        alias: 'OUTPUT_FOLDER',
        path: '01990000-0000-7000-8000-000000000000.zip',
        sizeBytes: 5,
        fileCount: 1,
      },
    ])
    const [zip = Buffer.alloc(0)] = gateway.objects.values()
    const names: string[] = []
    for await (const { fileName } of (await fromBufferPromise(zip)).eachEntry()) {
      names.push(fileName)
    }
    expect(names).to.deep.equal(['out/a.png'])
  })

  const block = {
    type: 'progress',
    step: 0,
    outTimeUs: null,
    frame: null,
    totalBytes: null,
    speed: null,
    stalled: false,
  } as const

  function outputsOf({ results: [result] }: TestGateway) {
    if (result?.outcome.status !== 'SUCCESS') return []
    return result.outcome.files.map(({ alias, path, sizeBytes, fileCount }) => ({
      alias,
      path,
      sizeBytes,
      fileCount,
    }))
  }

  function writes(name: string) {
    return async () => {
      await writeFile(join(root, 'work', name), 'made')
      return { code: 0 }
    }
  }

  async function attempt(
    script: SupervisorScript,
    changes: Partial<Assignment> = {},
    answers: Omit<GatewayScript, 'assignment'> = {},
    interrupted = new AbortController().signal,
  ): Promise<{
    exitCode: number
    gateway: TestGateway
    supervisor: ScriptedSupervisor
    terminationMessage: string
  }> {
    const gateway = await startGateway({
      ...answers,
      assignment: { ...assignment(), ...changes },
    })
    const supervisor = await startSupervisor(join(root, 'link.sock'), script)
    cleanups.unshift(
      () => gateway.close(),
      () => supervisor.close(),
    )
    const effects = systemEffects(directly)
    let terminationMessage = ''
    const ask = gatewayRequests(
      { url: gateway.url, readToken: async () => 'token', ca: null },
      effects,
    )
    const exitCode = await runCommand(
      {
        gateway: createGateway(ask, 10_000),
        effects,
        resolve: async () => [],
        log: () => undefined,
        work: join(root, 'work'),
        socketPath: join(root, 'link.sock'),
        writeTerminationMessage: async (text) => {
          terminationMessage = text
        },
      },
      interrupted,
    )
    return { exitCode, gateway, supervisor, terminationMessage }
  }

  function assignment(): Assignment {
    return {
      commandId: '01990000-0000-7000-8000-000000000000',
      commands: ['-i {{in_1}} -c:v libx264 {{out_1}}'],
      inputs: [{ alias: 'in_1', url: `${origin.url}/clip.mp4`, stored: null }],
      inputFolder: null,
      outputs: { out_1: 'out.mp4' },
      vcpuCount: 2,
      maxRunSeconds: 60,
      limits: {
        fileBytes: 1024 ** 3,
        scratchBytes: 10 * 1024 ** 3,
        fileCount: 10_000,
        maxPixels: 67_108_864,
        transferSeconds: 600,
      },
      network: { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] },
    }
  }
})
