import type { Say } from '../../e2e/cluster/tools/progress.ts'
import type { BenchEnvironment } from './environment.ts'
import type { Figure } from './figure.ts'
import { imageFigures } from './image-figures.ts'
import { latencyFigures } from './latency-figures.ts'
import { loadFigure } from './load-figure.ts'
import { measureLatency } from './measure-latency.ts'
import { requestFigures } from './request-figures.ts'
import { residentMegabytes } from './resident-memory.ts'
import { startFigures } from './start-stages.ts'

interface Options {
  readonly environment: BenchEnvironment
  /** Pairs of a command and a bare Job, the first of which is dropped. */
  readonly pairs: number
  /** Commands over which requests to the Kubernetes API are counted. */
  readonly counted: number
  readonly say: Say
}

/** What one command costs beside FFmpeg: latency against a bare Job, API requests, memory, images. */
export async function b01(options: Options): Promise<Figure[]> {
  const { environment } = options
  const { cluster, images, namespace } = environment
  const loadBefore = loadFigure('before')
  const pairs = await measureLatency(options)
  const loadAfter = loadFigure('after')
  return [
    loadBefore,
    loadAfter,
    ...latencyFigures(pairs.slice(1)),
    ...startFigures(pairs.slice(1).map(({ command }) => command.stages)),
    ...(await requestFigures(options)),
    {
      ...{ name: 'rss.api-server', unit: 'MB', limit: 160 },
      value: await residentMegabytes(cluster, namespace, 'api-server'),
    },
    {
      ...{ name: 'rss.operator', unit: 'MB', limit: 200 },
      value: await residentMegabytes(cluster, namespace, 'operator'),
    },
    ...(await imageFigures(images)),
  ]
}
