import { chmod, copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { inputPath } from '../../common/command-line/model/input-path.ts'
import type { CorpusCommand } from './read-corpus.ts'

/** Leaves nothing in the folders of a job but the files that the command reads. */
export async function fillJob(job: string, command: CorpusCommand, samples: string): Promise<void> {
  for (const name of ['in', 'work']) {
    const folder = path.join(job, name)
    await mkdir(folder, { recursive: true })
    for (const old of await readdir(folder)) await rm(path.join(folder, old), { recursive: true })
    // the sandbox has a user of its own
    await chmod(folder, 0o777)
  }
  if (command.samples === null) {
    await cp(path.join(samples, 'zip'), path.join(job, 'work'), { recursive: true })
  }
  const paths = inputPathsOf(command)
  for (const [index, name] of (command.samples ?? []).entries()) {
    const target = paths[command.submission.inputAliases[index] ?? ''] ?? name
    await copyFile(path.join(samples, name), path.join(job, 'work', target))
  }
}

/** Path by alias, relative to the working folder, as the service chooses it. */
export function inputPathsOf({ samples, submission }: CorpusCommand): Record<string, string> {
  const paths: [string, string][] = submission.inputAliases.map((alias, index) => [
    alias,
    inputPath(alias, samples?.[index] ?? null),
  ])
  return Object.fromEntries(paths)
}

/** Paths of the files below a folder, relative to it and in order. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}
