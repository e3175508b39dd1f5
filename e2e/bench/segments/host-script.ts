import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../../../local-cluster/host/run-command.ts'
import { awsPython } from '../../../local-cluster/tools/python-package.ts'
import { runnerRoot } from '../../../images/build-runner.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'

/**
 * Commands that people run without a service: shell lines with the image's FFmpeg (`$FFMPEG`), `$AWS s3` and `$BUCKET`, until one
 * fails; `DIR` is their working folder as FFmpeg sees it.
 */
export async function createHostScripts(environment: BenchEnvironment, storage: string) {
  const { s3, installed } = environment
  const root = await runnerRoot(environment)
  const python = await awsPython(environment)
  const folder = await mkdtemp(path.join(root, 'tmp/bench-'))
  const env = {
    FFMPEG: `chroot ${root} /usr/bin/ffmpeg -y -nostdin -hide_banner -v error`,
    AWS: `${python} -m awscli --endpoint-url ${storage}`,
    BUCKET: `s3://${installed.bucket}`,
    DIR: folder.slice(root.length),
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    AWS_DEFAULT_REGION: s3.region,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
  }
  return {
    folder,
    async run(...lines: readonly string[]): Promise<void> {
      await runCommand('sh', ['-ec', lines.join('\n')], { cwd: folder, env })
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
