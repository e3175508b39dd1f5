import { expect } from 'chai'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { attemptFixture } from '../../testing/runner/attempt-fixture.ts'
import { progressOf } from '../../testing/runner/scripted-supervisor.ts'
import { useFixture } from '../../testing/support/scratch.ts'

describe('one attempt at a command', () => {
  const fixture = useFixture(attemptFixture)

  it('fetches, runs, stores and reports', async () => {
    const { exitCode, gateway, supervisor } = await fixture.attempt({
      run: async (_run, say) => {
        say(progressOf('2', 5_000_000))
        await writeFile(join(fixture.root, 'work/out.mp4'), 'made')
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

  it('reports the prepared command before FFmpeg runs, when its inputs took a second', async () => {
    fixture.pause('transfer.inputs_ready', 1_000)
    const { gateway } = await fixture.attempt({ run: fixture.makes('out.mp4') })
    expect(gateway.reports.map(({ status }) => status)).to.include('PREPARED_FFMPEG_COMMAND')
  })

  it('reports what went another way than meant beside the outputs', async () => {
    const { gateway } = await fixture.attempt({
      run: async ({ id, step }, say) => {
        const lines = ['[h264 @ 0x1] error while decoding MB 3 4, bytestream -5']
        say({ type: 'stderr', id, step, lines, dropped: 0 })
        await writeFile(join(fixture.root, 'work/out.mp4'), 'made')
        return { code: 0 }
      },
      probe: ({ path }) => ({ streams: 1, ...(path === 'out.mp4' ? { videoTag: 'hev1' } : {}) }),
    })
    const [result] = gateway.results
    const warnings = result?.outcome.status === 'SUCCESS' ? (result.outcome.warnings ?? []) : []
    expect(warnings.map(({ code, alias }) => [code, alias])).to.have.deep.members([
      ['DAMAGED_INPUT', 'in_1'],
      ['HEVC_TAG', 'out_1'],
    ])
  })

  it("reports FFmpeg's own reason when it fails", async () => {
    const { exitCode, gateway } = await fixture.attempt({
      run: async () => ({
        code: 187,
        tail: "[x @ 0x55d] Cannot open '../in/in_1.mp4'\nConversion failed!",
      }),
    })
    expect(exitCode).to.equal(0)
    expect(gateway.results[0]?.outcome).to.deep.equal({
      status: 'FAILED',
      errorStatus: 'FFMPEG_FAILED',
      errorMessage: "FFmpeg ended with exit code 187: [x] Cannot open '{{in_1}}'",
    })
    expect([...gateway.objects.keys()]).to.deep.equal([])
  })

  it('names the input that could not be fetched', async () => {
    const { exitCode, gateway } = await fixture.attempt(
      { run: fixture.makes('out.mp4') },
      {
        inputs: [{ alias: 'in_1', url: `${fixture.originUrl}/gone.mp4?key=secret`, stored: null }],
      },
    )
    expect(exitCode).to.equal(0)
    expect(gateway.results[0]?.outcome).to.deep.include({
      errorStatus: 'UNREACHABLE_INPUT_FILE',
      errorMessage: `in_1: ${fixture.originUrl}/gone.mp4 answered 404 Not Found`,
    })
  })

  it('fails a command whose output is missing although FFmpeg succeeded', async () => {
    const { exitCode, gateway } = await fixture.attempt({ run: async () => ({ code: 0 }) })
    expect(exitCode).to.equal(0)
    expect(gateway.results[0]?.outcome).to.deep.include({
      errorStatus: 'MISSING_OUTPUT_FILE',
      errorMessage: 'out_1 (out.mp4) was not written or is empty',
    })
  })

  it('counts a video without a single stream as missing', async () => {
    const { exitCode, gateway } = await fixture.attempt({
      run: fixture.makes('out.mp4'),
      probe: () => ({ streams: 0 }),
    })
    expect(exitCode).to.equal(0)
    expect(gateway.results[0]?.outcome).to.deep.include({ errorStatus: 'MISSING_OUTPUT_FILE' })
  })

  it('refuses what the API would have refused, for objects that never met it', async () => {
    const { exitCode, gateway } = await fixture.attempt(
      { run: fixture.makes('out.mp4') },
      { commands: ['-i {{in_1}} -vf movie=/etc/passwd {{out_1}}'] },
    )
    expect([exitCode, gateway.results[0]?.outcome.status]).to.deep.equal([0, 'FAILED'])
  })

  it('stores a playlist with its manifest last', async () => {
    const folder = join(fixture.root, 'work/out_playlist_1')
    const { exitCode, gateway, published } = await fixture.attempt(
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
    expect(published).to.deep.equal([
      { alias: 'out_playlist_1', path: 'out_playlist_1/a.m3u8', sizeBytes: 15, fileCount: 2 },
    ])
  })

  it('unpacks a zip, and stores what is new as a zip', async () => {
    const { exitCode, gateway, published } = await fixture.attempt(
      {
        run: async () => {
          expect(await readdir(join(fixture.root, 'work'))).to.deep.equal(['clip.txt', 'out'])
          await writeFile(join(fixture.root, 'work/out/a.png'), 'image')
          return { code: 0 }
        },
      },
      {
        commands: ['-i clip.txt out/a.png'],
        inputs: [],
        inputFolder: {
          alias: 'input_compressed_folder',
          url: `${fixture.originUrl}/clip.zip`,
          stored: null,
        },
        outputs: null,
      },
    )
    expect(exitCode).to.equal(0)
    expect(published).to.deep.equal([
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
})
