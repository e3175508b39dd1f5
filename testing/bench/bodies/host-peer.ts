import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../../../e2e/cluster/host/run-command.ts'
import type { S3 } from '../../../e2e/cluster/servers/s3.ts'
import type { ClusterSettings } from '../../../e2e/cluster/host/settings.ts'
import { awsPython } from '../../../e2e/cluster/tools/python-package.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import { runnerRoot } from '../../../e2e/installation/build-runner.ts'

/** What people do without a service: the image's FFmpeg on this machine, curl and the AWS command line. */
export interface HostPeer {
  /** A folder of this machine that `ffmpeg` sees too. */
  readonly folder: string
  /** Runs FFmpeg; `DIR/` in its arguments stands for the folder. */
  ffmpeg(args: readonly string[]): Promise<void>
  /**
   * Runs lines of a shell script, in the folder, until one fails: `$FFMPEG`, `$AWS` and `$BUCKET` (an
   * s3:// URL) are set.
   */
  script(lines: readonly string[]): Promise<void>
  close(): Promise<void>
}

export async function createHostPeer({
  s3,
  bucket,
  endpoint,
  settings,
  say,
}: {
  readonly s3: S3
  readonly bucket: string
  /** Endpoint of the storage, as the scripts are to see it. */
  readonly endpoint: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<HostPeer> {
  const root = await runnerRoot({ settings, say })
  const python = await awsPython({ settings, say })
  const folder = await mkdtemp(path.join(root, 'tmp/bench-'))
  const inside = folder.slice(root.length)
  const quiet = ['-y', '-nostdin', '-hide_banner', '-v', 'error']
  const environment = {
    FFMPEG: ['chroot', root, '/usr/bin/ffmpeg', ...quiet].join(' '),
    AWS: `${python} -m awscli --endpoint-url ${endpoint}`,
    BUCKET: `s3://${bucket}`,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    AWS_DEFAULT_REGION: s3.region,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
  }
  return {
    folder,
    async ffmpeg(args) {
      const own = args.map((each) => each.replaceAll('DIR/', `${inside}/`))
      await runCommand('chroot', [root, '/usr/bin/ffmpeg', ...quiet, ...own])
    },
    async script(lines) {
      const text = lines.map((line) => line.replaceAll('DIR/', `${inside}/`)).join('\n')
      await runCommand('sh', ['-ec', text], { cwd: folder, env: environment })
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Duration of a piece of work, in ms. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
