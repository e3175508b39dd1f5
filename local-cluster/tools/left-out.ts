import { access, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isRecord } from '../host/run-command.ts'
import { runGo } from './go.ts'
import type { GoOptions } from './go.ts'

/** Module, file in it, and the file of the program's own that stands in its place, or null for none. */
export type LeftOut = Readonly<Record<string, Readonly<Record<string, string | null>>>>

/**
 * Flags of `go build` that leave out what left-out.json in the program's folder names: files that nothing here uses, and
 * whose imports take longer to compile than all they are beside. Fetches the modules that it names.
 */
export async function leaveOut({ cwd, what }: GoOptions): Promise<string[]> {
  const go = { cwd, what }
  const leftOut = parseLeftOut(JSON.parse(await readFile(path.join(cwd, 'left-out.json'), 'utf8')))
  const replace: Record<string, string> = {}
  const goMod = path.join(cwd, 'lean.mod')
  await copyFile(path.join(cwd, 'go.mod'), goMod)
  await copyFile(path.join(cwd, 'go.sum'), path.join(cwd, 'lean.sum'))
  await mkdir(path.join(cwd, 'modules'))
  for (const [index, [module, files]] of Object.entries(leftOut).entries()) {
    // An overlay may not touch the module cache, but a module may be anywhere: here, by a link to it.
    const link = path.join(cwd, 'modules', String(index))
    await symlink(moduleFolder(await runGo(['mod', 'download', '-json', module], go)), link)
    await runGo(['mod', 'edit', '-replace', `${module}=./modules/${index}`, goMod], go)
    for (const [file, instead] of Object.entries(files)) {
      // Without this check a file that a newer release calls otherwise would be compiled again, unnoticed.
      await access(path.join(link, file))
      replace[path.join(link, file)] = instead === null ? '' : path.join(cwd, instead)
    }
  }
  const overlay = path.join(cwd, 'overlay.json')
  await writeFile(overlay, JSON.stringify({ Replace: replace }))
  return ['-modfile', goMod, '-overlay', overlay]
}

/** @throws Error where the text has another shape. */
export function parseLeftOut(value: unknown): LeftOut {
  if (!isRecord(value)) throw new Error('left-out.json: not an object')
  const parsed: Record<string, Record<string, string | null>> = {}
  for (const [module, files] of Object.entries(value)) {
    if (!isRecord(files)) throw new Error(`left-out.json: ${module}: not an object`)
    const named: Record<string, string | null> = {}
    for (const [file, instead] of Object.entries(files)) {
      if (instead !== null && typeof instead !== 'string') {
        throw new Error(`left-out.json: ${module}: ${file}: neither a file nor null`)
      }
      named[file] = instead
    }
    parsed[module] = named
  }
  return parsed
}

function moduleFolder(answer: string): string {
  const value: unknown = JSON.parse(answer)
  const folder = isRecord(value) ? value['Dir'] : undefined
  if (typeof folder !== 'string') throw new Error(`go mod download answered no folder: ${answer}`)
  return folder
}
