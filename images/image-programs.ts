import { randomUUID } from 'node:crypto'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../local-cluster/host/run-command.ts'
import type { ClusterSettings } from '../local-cluster/host/settings.ts'
import type { Say } from '../local-cluster/host/progress.ts'
import { runnerRoot } from './build-runner.ts'

/** FFmpeg of the runner image on this machine: a distribution's own may be years older. */
export interface ImagePrograms {
  /** Runs ffmpeg with these arguments and an output whose name ends like `file`, then puts it there. */
  ffmpeg(args: readonly string[], file: string): Promise<void>
  probe(bytes: Uint8Array): Promise<{ format: string; codec: string; duration: string }>
  /** A file of the image, by its path there. */
  read(file: string): Promise<Buffer>
  /** Runs a program and returns its stdout; URLs that this machine reaches may be among the arguments. */
  print(program: 'ffmpeg' | 'ffprobe', args: readonly string[]): Promise<string>
}

export async function imagePrograms(options: {
  settings: ClusterSettings
  say: Say
}): Promise<ImagePrograms> {
  const root = await runnerRoot(options)
  const inside = (program: string, args: readonly string[]): Promise<string> =>
    runCommand('chroot', [root, `/usr/bin/${program}`, '-v', 'error', ...args])
  return {
    print: inside,
    read: (file) => readFile(path.join(root, file)),
    async ffmpeg(args, file) {
      const name = `/tmp/${randomUUID()}${path.extname(file)}`
      try {
        await inside('ffmpeg', ['-y', ...args, name])
        await copyFile(path.join(root, name), file)
      } finally {
        await rm(path.join(root, name), { force: true })
      }
    },
    async probe(bytes) {
      const name = `/tmp/${randomUUID()}`
      try {
        await writeFile(path.join(root, name), bytes)
        const entries = 'format=format_name,duration:stream=codec_name'
        const text = await inside('ffprobe', [
          '-of',
          'default=nk=0:nw=1',
          '-show_entries',
          entries,
          name,
        ])
        const value = (key: string): string =>
          new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? ''
        return {
          format: value('format_name'),
          codec: value('codec_name'),
          duration: value('duration'),
        }
      } finally {
        await rm(path.join(root, name), { force: true })
      }
    },
  }
}
