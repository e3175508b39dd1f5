import type { Say } from '../../e2e/cluster/host/progress.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'
import { imageFigures, residentMegabytes } from './latency/installation-figures.ts'
import { latencyFigures } from './latency/latency-figures.ts'
import { loadFigure } from './figure/figure.ts'
import { measureLatency } from './cluster/measure-latency.ts'
import { requestFigures } from './latency/request-figures.ts'
import { serverProcessor } from './latency/server-processor.ts'
import { startFigures } from './cluster/start-stages.ts'

interface Options {
  readonly environment: BenchEnvironment
  /** Pairs of a command and a bare Job, the first of which is dropped. */
  readonly pairs: number
  /** Commands over which requests to the Kubernetes API are counted. */
  readonly counted: number
  /** Rounds of a steady load, of which another one comes before, and the commands of each. */
  readonly steady: { readonly rounds: number; readonly commands: number }
  readonly say: Say
}

/** What one command costs beside FFmpeg: latency against a bare Job, API requests, memory, images. */
export async function b01(options: Options): Promise<Figure[]> {
  const { environment } = options
  const { cluster, images, namespace } = environment
  const loadBefore = loadFigure('before')
  const pairs = await measureLatency(options)
  const loadAfter = loadFigure('after')
  const requests = await requestFigures(options)
  const processor = await serverProcessor(environment, options.steady, options.say)
  return [
    loadBefore,
    loadAfter,
    ...latencyFigures(pairs.slice(1)),
    ...startFigures(pairs.slice(1).map(({ command }) => command.stages)),
    ...requests,
    ...processor,
    {
      name: 'rss.api-server',
      unit: 'MB',
      limit: 160,
      value: await residentMegabytes(cluster, namespace, 'api-server'),
    },
    {
      name: 'rss.operator',
      unit: 'MB',
      limit: 200,
      value: await residentMegabytes(cluster, namespace, 'operator'),
    },
    ...(await imageFigures(images)),
  ]
}
