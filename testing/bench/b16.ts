import { assertManifestLast } from './bodies/body-figures.ts'
import { milliseconds } from './bodies/host-peer.ts'
import { measureProcessors } from './cluster/processor-seconds.ts'
import type { ProcessorSeconds } from './cluster/processor-seconds.ts'
import { startAttemptRig } from './encode/attempt-rig.ts'
import { playlistOptions } from './encode/playlist.ts'
import type { Figure } from './figure/figure.ts'
import { processorFigures } from './cluster/processor-figures.ts'
import { median } from './figure/statistics.ts'

interface Run {
  readonly ms: number
  readonly processors: ProcessorSeconds
}

/**
 * The playlist of b10 without a cluster: the runner's two processes, FFmpeg in its sandbox, the gateway and an S3 server.
 * What each takes of the processors is seen without Kubernetes, and without the start of a pod.
 */
export async function b16(
  { segments, rounds }: { readonly segments: number; readonly rounds: number },
  say: (text: string) => void,
): Promise<Figure[]> {
  const options = playlistOptions(segments)
  const rig = await startAttemptRig(60)
  const runs: Record<'bare' | (typeof forms)[number], Run[]> = { bare: [], stored: [], distant: [] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const form of round % 2 === 0 ? forms : forms.toReversed()) {
        say(`b16, round ${round + 1} of ${rounds}, ${form} (usually 15 to 30 s)`)
        runs.bare.push(await measured(() => rig.bare(options, 'list.m3u8')))
        rig.sink.distant(form === 'distant')
        const attempt = await rig.prepare({
          command: [...options, '{{out_playlist_1}}'].join(' '),
          outputs: { out_playlist_1: 'list.m3u8' },
        })
        const before = rig.sink.puts.length
        runs[form].push(await measured(attempt))
        assertManifestLast(rig.sink.puts.slice(before), segments)
      }
    }
  } finally {
    await rig.close()
  }
  const encode = median(runs.bare.map(({ ms }) => ms))
  return [
    { name: 'b16.encode-only', value: encode, unit: 'ms' },
    ...forms.map((form): Figure => {
      const value = median(runs[form].map(({ ms }) => ms))
      return { name: `b16.${form}`, value, unit: 'ms', ratio: value / encode }
    }),
    ...(['bare', ...forms] as const).flatMap((form) => processorFigures(`b16.${form}`, runs[form])),
  ]
}

/** Whether the S3 server of this machine takes the segments, or they end at the line in front of it. */
const forms = ['stored', 'distant'] as const

async function measured(work: () => Promise<void>): Promise<Run> {
  // The processes of this benchmark belong to it by their parents.
  const ended = measureProcessors('none')
  const ms = await milliseconds(work)
  return { ms, processors: ended() }
}
