import { idleMachine } from '../cluster/idle-machine.ts'
import { runCommand, tinyCommand } from '../cluster/tiny-command.ts'
import { median } from '../../../testing/support/statistics.ts'
import { createHostScripts } from './host-script.ts'
import { createLine, startOrigin, startStorage } from './line.ts'
import type { SingleSubmission } from '../../../cli/client/client.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Figure } from '../figure/figure.ts'

/** Segments of 0.2 s of 8 Mbit/s: 200 KB each. */
const playlist = (segments: number) =>
  `-f lavfi -i testsrc2=duration=${segments / 5}:size=640x360:rate=25 -vf noise=alls=60:allf=t ` +
  '-c:v mpeg2video -pix_fmt yuv420p -g 5 -b:v 8M -minrate 8M -maxrate 8M -bufsize 2M ' +
  '-f hls -hls_time 0.2 -hls_list_size 0'

/** A film of 30 MB: noise, because a test picture is next to nothing. */
const makeFilm =
  '$FFMPEG -f lavfi -i testsrc2=size=1280x720:rate=25:duration=30 -f lavfi -i sine=duration=30 ' +
  '-vf noise=alls=40:allf=t -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -b:v 7500k ' +
  '-maxrate 7500k -minrate 7500k -bufsize 3000k -movflags +faststart $DIR/film.mp4'

/**
 * Outputs that are stored while FFmpeg writes, beside scripts of curl, FFmpeg and `aws s3 cp`: a playlist over a line of
 * 60 MB/s, also beside its bare encode, and a remux between lines of 6 MB/s.
 */
export async function segments(environment: BenchEnvironment, short: boolean): Promise<Figure[]> {
  const { client, cluster, s3, say } = environment
  const count = short ? 60 : 1_000
  const [down, up] = [createLine(), createLine()]
  const storage = await startStorage(cluster.hostAddress, s3.endpoint, up)
  const scripts = await createHostScripts(environment, storage.url)
  const origin = await startOrigin(cluster.hostAddress, scripts.folder, down)
  const pieces = piecesFor(count, `${origin.url}/film.mp4`)
  const runs: { readonly name: Name; readonly ms: number }[] = []
  try {
    await environment.reconfigure({ storage: { endpoint: storage.url }, runner: requests })
    await scripts.run(makeFilm)
    // Not measured: what a first command finds cold.
    await runCommand(client, tinyCommand)
    for (let round = 0; round < (short ? 1 : 3); round += 1) {
      for (const { name, rate, does } of round % 2 === 0 ? pieces : pieces.toReversed()) {
        say(`round ${round + 1}, ${name} (usually 5 to 60 s)`)
        for (const line of [down, up]) line.rate = rate
        await idleMachine()
        const begun = performance.now()
        await (Array.isArray(does) ? scripts.run(...does) : runCommand(client, does))
        runs.push({ name, ms: performance.now() - begun })
      }
    }
  } finally {
    await environment.reconfigure({})
    await Promise.all([origin.close(), storage.close(), scripts.close()])
  }
  const of = (wanted: Name): number =>
    median(runs.filter(({ name }) => name === wanted).map(({ ms }) => ms))
  const beside = (name: string, own: Name, peer: Name, atMost: number): Figure => {
    const bar = { atMost, ofPeer: true } as const
    return { name, value: of(own), unit: 'ms', peer: of(peer), bar }
  }
  return [
    { name: 'start of a tiny command', value: of('start'), unit: 'ms' },
    beside(`${count} segments, beside FFmpeg alone`, 'playlist', 'encode', 1.25),
    beside(`${count} segments, beside a script`, 'playlist', 'playlist script', 1),
    beside('remux of 30 MB at 6 MB/s, beside a script', 'remux', 'remux script', 0.72),
  ]
}

type Name = 'start' | 'encode' | 'playlist' | 'playlist script' | 'remux' | 'remux script'

interface Piece {
  readonly name: Name
  /** MB/s. */
  readonly rate: number
  /** A command, or lines of a script. */
  readonly does: SingleSubmission | string[]
}

function piecesFor(count: number, film: string): Piece[] {
  const encode = `$FFMPEG ${playlist(count)} -threads 2`
  const upload = '$AWS s3 cp --only-show-errors'
  const segmented = {
    ...tinyCommand,
    output_files: { out_playlist_1: 'list.m3u8' },
    ffmpeg_command: `${playlist(count)} {{out_playlist_1}}`,
  }
  const remuxed = {
    ...tinyCommand,
    input_files: { in_1: film },
    output_files: { out_1: 'remux.ts' },
    ffmpeg_command: '-i {{in_1}} -c copy {{out_1}}',
  }
  const script = [
    `curl -sSf -o fetched.mp4 ${film}`,
    '$FFMPEG -i $DIR/fetched.mp4 -c copy $DIR/remux.ts',
    `${upload} remux.ts $BUCKET/bench/remux.ts`,
  ]
  const stored = `${upload} --recursive list $BUCKET/bench/list`
  const scripted = ['mkdir -p list', `${encode} $DIR/list/list.m3u8`, stored]
  return [
    { name: 'start', rate: 60, does: tinyCommand },
    { name: 'encode', rate: 60, does: ['mkdir -p bare', `${encode} $DIR/bare/list.m3u8`] },
    { name: 'playlist', rate: 60, does: segmented },
    { name: 'playlist script', rate: 60, does: scripted },
    { name: 'remux', rate: 6, does: remuxed },
    { name: 'remux script', rate: 6, does: script },
  ]
}

/**
 * Requests in the chart's proportions: the kernel gives a busy core to processes by their pods' requests, and with those
 * of the tests FFmpeg would wait for every server.
 */
const requests = { cpuRequestPerVcpu: 0.4, transfer: { cpuRequestMillis: null } }
