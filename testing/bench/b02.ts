import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleRunner } from '../../runner-image/bundle.ts'
import { clusterSettings } from '../../e2e/cluster/host/settings.ts'
import { awsPython } from '../../e2e/cluster/tools/python-package.ts'
import type { Say } from '../../e2e/cluster/host/progress.ts'
import type { Figure } from './figure/figure.ts'
import { loadFigure } from './figure/figure.ts'
import { costOf } from './transfer/arm.ts'
import type { Cost } from './transfer/arm.ts'
import { startOrigin } from './transfer/origin.ts'
import { startSink } from './transfer/sink.ts'

interface Sizes {
  /** Moved as fast as it goes. */
  readonly bytes: number
  /** Moved at 6 MB/s per connection. */
  readonly cappedBytes: number
  /** Fetched to see what memory does. */
  readonly largeBytes: number
}

interface Bench extends Sizes {
  readonly folder: string
  readonly python: string
  readonly say: Say
}

const MiB = 1024 ** 2
const cap = 6_000_000
const curlConnections = 8
export const fullTransfer: Sizes = {
  bytes: 512 * MiB,
  cappedBytes: 240 * MiB,
  largeBytes: 4096 * MiB,
}
export const shortTransfer: Sizes = {
  bytes: 256 * MiB,
  cappedBytes: 72 * MiB,
  largeBytes: 1024 * MiB,
}

/** The runner's transfer engine beside curl, the SDK's uploader and `aws s3 cp`, on loopback. */
export async function b02(sizes: Sizes, say: Say): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-transfer-'))
  try {
    const before = loadFigure('before')
    const python = await awsPython({ settings: clusterSettings(process.env), say })
    await bundleRunner(folder, { engine: '../testing/bench/transfer/engine.ts' })
    const bench = { ...sizes, folder, python, say }
    const figures = [...(await down(bench)), ...(await up(bench)), ...(await memory(bench))]
    return [before, loadFigure('after'), ...figures]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function down(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const capped of [false, true]) {
    const bytes = capped ? bench.cappedBytes : bench.bytes
    const rate = capped ? cap : null
    const one = await startOrigin({ bytes, ranges: false, bytesPerSecond: rate })
    const many = await startOrigin({ bytes, ranges: true, bytesPerSecond: rate })
    const how = capped ? '6-MB/s' : 'uncapped'
    bench.say(`down, ${how}`)
    const curl = await timed(() => fetchByCurl(bench, many.url, bytes, 1))
    const curls = await timed(() => fetchByCurl(bench, many.url, bytes, curlConnections))
    const engine = await timed(() => fetchByEngine(bench, one.url))
    const engines = await timed(() => fetchByEngine(bench, many.url))
    figures.push(
      ...costs(`down.${how}.curl.1`, bytes, curl),
      ...costs(`down.${how}.curl.${String(curlConnections)}`, bytes, curls),
      ...costs(`down.${how}.engine.1`, bytes, engine, curl),
      ...costs(`down.${how}.engine.ranges`, bytes, engines, capped ? curls : curl),
    )
    await Promise.all([one.close(), many.close()])
  }
  return figures
}

async function up(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const capped of [false, true]) {
    const bytes = capped ? bench.cappedBytes : bench.bytes
    const sink = await startSink(capped ? cap : null)
    const how = capped ? '6-MB/s' : 'uncapped'
    bench.say(`up, ${how}`)
    const file = await fileOf(bench.folder, bytes)
    const sdkUpload = path.join(import.meta.dirname, 'transfer/sdk-upload.ts')
    const sdk = await timed(() => costOf(process.execPath, [sdkUpload, sink.url, file]))
    const aws = await timed(() =>
      costOf(
        bench.python,
        ['-m', 'awscli', '--endpoint-url', sink.url, 's3', 'cp', file, 's3://b/k'],
        { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-east-1' },
      ),
    )
    const curl = await timed(() => costOf('curl', ['-sSf', '-T', file, `${sink.url}/b/k`]))
    const engine = await timed(() =>
      costOf(process.execPath, [path.join(bench.folder, 'engine.mjs'), 'up', sink.url, file]),
    )
    figures.push(
      ...costs(`up.${how}.lib-storage`, bytes, sdk),
      ...costs(`up.${how}.aws-s3-cp`, bytes, aws),
      ...costs(`up.${how}.curl.1`, bytes, curl),
      ...costs(`up.${how}.engine`, bytes, engine, sdk),
    )
    await sink.close()
    await rm(file)
  }
  return figures
}

/** The same download, small and large: memory must not follow the size. */
async function memory(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const bytes of [100 * MiB, bench.largeBytes]) {
    bench.say(`memory at ${String(bytes / MiB)} MiB`)
    const origin = await startOrigin({ bytes, ranges: true, bytesPerSecond: null })
    const { peakMb } = await fetchByEngine(bench, origin.url)
    const name = `down.engine.rss-at-${String(bytes / MiB)}-MiB`
    figures.push({ name, value: peakMb, unit: 'MB', limit: 128 })
    await origin.close()
  }
  return figures
}

/** The better of two: the first one warms what both arms use. */
async function timed(run: () => Promise<Cost>): Promise<Cost> {
  const [first, second] = [await run(), await run()]
  return first.seconds < second.seconds ? first : second
}

async function fetchByEngine({ folder }: Bench, url: string): Promise<Cost> {
  const job = await mkdtemp(path.join(folder, 'job-'))
  const work = path.join(job, 'work')
  await mkdir(work)
  await mkdir(path.join(job, 'in'))
  const program = path.join(folder, 'engine.mjs')
  const cost = await costOf(process.execPath, [program, 'down', `${url}/clip.bin`, work])
  await rm(job, { recursive: true })
  return cost
}

async function fetchByCurl(
  { folder }: Bench,
  url: string,
  bytes: number,
  connections: number,
): Promise<Cost> {
  const parts = await mkdtemp(path.join(folder, 'curl-'))
  const share = Math.ceil(bytes / connections)
  const ranges = Array.from({ length: connections }, (_, index) => [
    ...(index === 0 ? [] : ['--next']),
    '-sSf',
    '-o',
    path.join(parts, String(index)),
    ...(connections === 1
      ? []
      : ['-r', `${String(index * share)}-${String(Math.min(bytes, (index + 1) * share) - 1)}`]),
    `${url}/clip.bin`,
  ])
  const cost = await costOf('curl', ['-Z', ...ranges.flat()])
  await rm(parts, { recursive: true })
  return cost
}

async function fileOf(folder: string, bytes: number): Promise<string> {
  const name = path.join(folder, 'upload.bin')
  const file = await open(name, 'w')
  const piece = Buffer.alloc(MiB, 7)
  for (let written = 0; written < bytes; written += MiB) await file.write(piece)
  await file.close()
  return name
}

function costs(name: string, bytes: number, cost: Cost, peer?: Cost): Figure[] {
  const rate = bytes / 1e6 / cost.seconds
  const isOurs = peer !== undefined
  return [
    {
      name,
      value: rate,
      unit: 'MB-per-second',
      ...(isOurs ? { ratio: rate / (bytes / 1e6 / peer.seconds) } : {}),
    },
    {
      name: `${name}.cpu`,
      value: cost.cpuSeconds / (bytes / 1e9),
      unit: 's-per-GB',
      ...(isOurs ? { ratio: cost.cpuSeconds / peer.cpuSeconds, limit: 1.2 } : {}),
    },
    {
      name: `${name}.rss`,
      value: cost.peakMb,
      unit: 'MB',
      ...(isOurs ? { limit: 128 } : {}),
    },
  ]
}
