import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleRunner } from '../../../runner-image/bundle.ts'
import { clusterSettings } from '../../../local-cluster/host/settings.ts'
import { runCommand } from '../../../local-cluster/host/run-command.ts'
import { awsPython } from '../../../local-cluster/tools/python-package.ts'
import type { Say } from '../../../local-cluster/host/progress.ts'
import type { Figure } from '../figure/figure.ts'
import { startPeer } from './start-peer.ts'

const MiB = 1024 ** 2
/** Bytes a second of each connection, and how much is moved. */
const speeds = [
  { speed: 'as fast as it goes', rate: null, mebibytes: 512 },
  { speed: '6 MB/s a connection', rate: 6_000_000, mebibytes: 240 },
]

/** The runner's transfers beside curl, the SDK's uploader and `aws s3 cp`, on loopback. */
export async function transfers(short: boolean, say: Say): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-transfers-'))
  try {
    const python = await awsPython({ settings: clusterSettings(process.env), say })
    await bundleRunner(folder, { engine: '../e2e/bench/transfers/engine.ts' })
    const figures: Figure[] = []
    for (const { speed, rate, mebibytes } of speeds) {
      const bytes = (short ? mebibytes / 4 : mebibytes) * MiB
      await writeFile(path.join(folder, 'upload.bin'), Buffer.alloc(bytes, 7))
      const peer = await startPeer(bytes, rate)
      for (const { name, own, peers } of commandsFor(folder, python, peer.url, bytes)) {
        const cost = await costOf(python, own)
        for (const [other, command] of Object.entries(peers)) {
          say(`${name}, ${speed}, ${other} (usually 1 to 40 s)`)
          const what = `${name}, ${speed}, beside ${other}`
          figures.push(...costFigures(what, bytes, cost, await costOf(python, command)))
        }
      }
      await peer.close()
    }
    return figures
  } finally {
    await rm(folder, { recursive: true })
  }
}

function commandsFor(folder: string, python: string, server: string, bytes: number) {
  const url = `${server}/clip.bin`
  const [file, program] = [path.join(folder, 'upload.bin'), path.join(folder, 'engine.mjs')]
  const engine = [process.execPath, program]
  const share = bytes / 8
  const curls = Array.from({ length: 8 }, (_, at) => {
    const range = `${at * share}-${(at + 1) * share - 1}`
    return ['--next', '-sSf', '-o', path.join(folder, `${at}`), '-r', range, url]
  })
  const sdkUpload = path.join(import.meta.dirname, 'sdk-upload.ts')
  return [
    {
      name: 'download',
      own: [...engine, 'down', url, folder],
      peers: {
        curl: ['curl', '-sSf', '-o', path.join(folder, 'curl'), url],
        '8 curls': ['curl', '-Z', ...curls.flat().slice(1)],
      },
    },
    {
      name: 'upload',
      own: [...engine, 'up', server, file],
      peers: {
        'lib-storage': [process.execPath, sdkUpload, server, file],
        'aws s3 cp': `${python} -m awscli --endpoint-url ${server} s3 cp ${file} s3://b/k`.split(
          ' ',
        ),
      },
    },
  ]
}

type Cost = Readonly<Record<'seconds' | 'cpuSeconds' | 'peakMb', number>>

/** Runs a command, and prints what the kernel says of it, with its start. */
const measuring = `
import json, resource, subprocess, sys, time
started = time.monotonic()
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({'seconds': time.monotonic() - started, 'cpuSeconds': used.ru_utime + used.ru_stime,
  'peakMb': used.ru_maxrss / 1024}))`

/** The better of two runs. A cost that the command prints itself comes first, and leaves its start out. */
async function costOf(python: string, command: readonly string[]): Promise<Cost> {
  const env = { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: 'us-east-1' }
  const one = async (): Promise<Cost> => {
    const printed = await runCommand(python, ['-c', measuring, ...command], { env })
    return JSON.parse(printed.split('\n').find((line) => line.startsWith('{"')) ?? '') as Cost
  }
  const [first, second] = [await one(), await one()]
  return first.seconds < second.seconds ? first : second
}

function costFigures(name: string, bytes: number, own: Cost, peer: Cost): Figure[] {
  const rate = ({ seconds }: Cost): number => bytes / 1e6 / seconds
  const cpu = ({ cpuSeconds }: Cost): number => cpuSeconds / (bytes / 1e9)
  const [least, most] = [{ atLeast: 1, ofPeer: true }, { atMost: 128 }] as const
  return [
    { name, value: rate(own), unit: 'MB/s', peer: rate(peer), bar: least },
    { name: `${name}: processor`, value: cpu(own), unit: 's/GB', peer: cpu(peer) },
    { name: `${name}: memory`, value: own.peakMb, unit: 'MB', peer: peer.peakMb, bar: most },
  ]
}
