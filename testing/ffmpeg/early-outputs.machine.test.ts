import { expect } from 'chai'
import { chmod, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { defaultMaxPixels, finalArgv } from '../../common/command-line/plan/final-argv.ts'
import { planOf } from '../support/plan-one.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { createGateway } from '../../runner-image/transfer/gateway/gateway.ts'
import { gatewayRequests } from '../../runner-image/transfer/gateway/request.ts'
import { collectOutputs } from '../../runner-image/transfer/outputs/collect-outputs.ts'
import { createOutputStore } from '../../runner-image/transfer/outputs/output-store.ts'
import { makeFifo } from '../../runner-image/transfer/streamed/make-fifo.ts'
import { startGateway } from '../runner/gateway-server.ts'
import { sampled } from '../scale.ts'
import { until } from '../support/until.ts'
import { makeStepFolders } from './runner/planned-run.ts'
import { useSupervised } from './runner/use-runner.ts'

/** Files that FFmpeg writes in one pass are sent meanwhile; each is the same as the one that lies there in the end. */
const cases: readonly [command: string, file: string][] = [
  ['-i {{in_1}} -c copy {{out_1}}', 'o.ts'],
  ['-i {{in_1}} -c copy -mpegts_flags +resend_headers -muxrate 12M {{out_1}}', 'r.ts'],
  ['-i {{in_1}} -c copy -f mpegts {{out_1}}', 'o.bin'],
  ['-i {{in_1}} -c copy {{out_1}}', 'o.mkv'],
  ['-i {{in_1}} -c copy -fflags +bitexact -cluster_size_limit 100000 {{out_1}}', 'c.mkv'],
  ['-i {{in_1}} -c copy -metadata title=x -f matroska {{out_1}}', 'm.bin'],
  ['-i {{in_1}} -c:v copy -an -movflags frag_keyframe+empty_moov {{out_1}}', 'o.mp4'],
  ['-i {{in_1}} -c copy -movflags +frag_keyframe+default_base_moof {{out_1}}', 'd.mov'],
  ['-i {{in_2}} -c:a libmp3lame -b:a 320k {{out_1}}', 'o.mp3'],
  ['-i {{in_2}} -c:a libmp3lame -b:a 320k -write_xing 0 {{out_1}}', 'x.mp3'],
  ['-i {{in_2}} -c:a flac {{out_1}}', 'o.flac'],
  ['-i {{in_2}} -c:a flac {{out_1}}', 'o.mka'],
  ['-i {{in_2}} -c:a flac {{out_1}}', 'o.ogg'],
  ['-i {{in_2}} -c:a pcm_s16le -f mpegts -c:a mp2 -b:a 384k {{out_1}}', 'a.ts'],
]

/** Files whose bytes move when they are closed wait for that. */
const waiting: readonly [command: string, file: string][] = [
  ['-i {{in_1}} -c copy {{out_1}}', 'plain.mp4'],
  ['-i {{in_1}} -c copy -movflags +faststart {{out_1}}', 'front.mp4'],
  ['-i {{in_1}} -c copy -movflags frag_keyframe+empty_moov+global_sidx {{out_1}}', 'index.mp4'],
  ['-i {{in_1}} -c copy -cues_to_front 1 {{out_1}}', 'cues.mkv'],
  ['-i {{in_2}} -c copy {{out_1}}', 'o.wav'],
]

describe('outputs that leave while FFmpeg writes them', () => {
  const supervised = useSupervised()
  const inputPaths = { in_1: '../in/in_1.mkv', in_2: '../in/in_2.wav' }
  const fedPaths = { in_1: '../in/fed_in_1.mkv', in_2: '../in/fed_in_2.wav' }

  before(async () => {
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', 'nal-hrd=cbr']
    const rate = ['-b:v', '8M', '-minrate', '8M', '-maxrate', '8M', '-bufsize', '2M', '-g', '25']
    await make(
      [...lavfi('testsrc2=s=640x360:d=24'), ...lavfi('sine=d=24'), ...video, ...rate],
      'in_1.mkv',
    )
    await make([...lavfi('anoisesrc=d=400:r=48000'), '-ac', '2', '-c:a', 'pcm_s16le'], 'in_2.wav')
  })

  for (const [command, file] of sampled(cases, {
    every: 4,
    least: 4,
    nameOf: ([, file]) => file,
  })) {
    it(`stores the same bytes early as at the end: ${command} as ${file}`, async () => {
      const { early, stored, made, resent } = await storeWhileRunning(
        command,
        { out_1: file },
        true,
      )
      expect(stored.get(file)?.equals(made.get(file) ?? Buffer.alloc(0))).to.equal(true)
      expect(early, 'sent while it grew').to.be.greaterThan(0)
      expect(resent, 'sent twice').to.equal(0)
    })
  }

  for (const [command, file] of waiting) {
    it(`wait: ${command} as ${file}`, async () => {
      const { early, stored, made } = await storeWhileRunning(command, { out_1: file })
      expect(stored.get(file)?.equals(made.get(file) ?? Buffer.alloc(0))).to.equal(true)
      expect(early).to.equal(0)
    })
  }

  for (const [what, options, name] of [
    ['HLS', '-f hls -hls_time 1 -hls_list_size 0', 'p.m3u8'],
    ['fragmented HLS', '-f hls -hls_time 1 -hls_segment_type fmp4', 'p.m3u8'],
    ['HLS in one file', '-f hls -hls_time 1 -hls_flags single_file', 'p.m3u8'],
    ['HLS that forgets', '-f hls -hls_time 1 -hls_flags delete_segments', 'p.m3u8'],
    ['DASH', '-f dash -seg_duration 1', 'p.mpd'],
  ] as const) {
    it(`stores the same playlist early as at the end: ${what}`, async () => {
      const isEarly = !/single_file|delete_segments/.test(options)
      // Slowly, so that what must wait could leave too early.
      const pace = isEarly ? '' : '-readrate 6 '
      const command = `${pace}-i {{in_1}} -c copy ${options} {{out_playlist_1}}`
      const { early, stored, made, order } = await storeWhileRunning(
        command,
        { out_playlist_1: name },
        isEarly,
      )
      for (const [file, body] of made) expect(stored.get(file)?.equals(body), file).to.equal(true)
      expect(order.at(-1)).to.equal(`out_playlist_1/${name}`)
      expect(new Set(order).size, 'each sent once').to.equal(order.length)
      expect(early > 0).to.equal(isEarly)
    })
  }

  function lavfi(graph: string): string[] {
    return ['-f', 'lavfi', '-i', graph]
  }

  async function make(argv: readonly string[], name: string): Promise<void> {
    expect((await supervised.run([...argv, name])).code).to.equal(0)
    const { job } = supervised.container
    await rename(path.join(job, 'work', name), path.join(job, 'in', name))
    await chmod(path.join(job, 'in', name), 0o644)
    await makeFifo(path.join(job, 'in', `fed_${name}`))
  }

  /** Gives FFmpeg the last quarter of its input only when a part of the output has left. */
  async function feed(command: string, hasLeft: () => boolean): Promise<void> {
    const name = command.includes('{{in_1}}') ? 'in_1.mkv' : 'in_2.wav'
    const folder = path.join(supervised.container.job, 'in')
    const bytes = await readFile(path.join(folder, name))
    const most = Math.floor(bytes.length * 0.75)
    const pipe = await open(path.join(folder, `fed_${name}`), 'w')
    try {
      await pipe.writeFile(bytes.subarray(0, most))
      await until(hasLeft, 'a part of the output to leave')
      await pipe.writeFile(bytes.subarray(most))
    } finally {
      await pipe.close()
    }
  }

  /**
   * Stores outputs as a pod does, with a store and a gateway of the test's own.
   * @param isFed the input is that of `feed`
   */
  async function storeWhileRunning(
    command: string,
    outputs: Record<string, string>,
    isFed = false,
  ) {
    const plan = planOf(command, { outputs, inputAliases: Object.keys(inputPaths) })
    const [step] = plan.steps
    if (step === undefined) throw new Error('there is no step')
    const work = path.join(supervised.container.job, 'work')
    const gateway = await startGateway({ partBytes: 5 * 1024 * 1024 })
    const effects = systemEffects()
    const ask = gatewayRequests({ url: gateway.url, readToken: async () => '', ca: null }, effects)
    const { signal } = new AbortController()
    const dependencies = { gateway: createGateway(ask, 0), effects, log: () => undefined }
    const store = createOutputStore({
      ...dependencies,
      objects: new Map(),
      work,
      signal,
    })
    const puts = () => gateway.calls.filter((call) => call.startsWith('PUT '))
    try {
      await makeStepFolders(supervised.container.job, step)
      store.begin(plan.outputs, step)
      const paths = isFed ? fedPaths : inputPaths
      const argv = finalArgv(step, {
        inputPaths: paths,
        vcpuCount: 2,
        maxPixels: defaultMaxPixels,
      })
      const [exited] = await Promise.all([
        supervised.run(argv),
        isFed ? feed(command, () => puts().length > 0) : null,
      ])
      expect(exited.code, exited.tail).to.equal(0)
      const early = puts().length
      const collected = await collectOutputs(work, plan.outputs)
      store.end(collected)
      await store.finish(signal)
      const files = collected.flatMap((output) => output.files)
      const made = new Map<string, Buffer>()
      for (const file of files) made.set(file.path, await readFile(path.join(work, file.path)))
      const sent = gateway.parts.map(({ part }) => part)
      return {
        early,
        stored: gateway.objects,
        made,
        resent: sent.length - new Set(sent).size,
        // A file that goes in parts is put many times.
        order: puts()
          .filter((call) => call.startsWith(single))
          .map((call) => call.slice(single.length)),
      }
    } finally {
      await gateway.close()
      for (const each of await readdir(work)) await rm(path.join(work, each), { recursive: true })
    }
  }
})

const single = 'PUT /single/'
