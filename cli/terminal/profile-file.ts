import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hasCode } from '../../common/runtime/error-code.ts'
import { noProfiles } from './profiles.ts'
import type { Profile, Profiles } from './profiles.ts'

/** File of the profiles. */
export interface ProfileFile {
  /** Path that errors show. */
  readonly path: string
  read(): Promise<Profiles>
  write(profiles: Profiles): Promise<void>
}

/** A JSON file. It has keys, so only its owner may read it. */
export function profileFile(file: string): ProfileFile {
  return {
    path: file,
    async read() {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
        throw error
      })
      return text === null ? noProfiles : profilesFrom(text, file)
    },
    async write(profiles) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const partial = `${file}.${process.pid}`
      await writeFile(partial, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
      await chmod(partial, 0o600)
      // Never half of a file: a crash would lose every key in it.
      await rename(partial, file)
    },
  }
}

/** @throws Error that names the file */
function profilesFrom(text: string, file: string): Profiles {
  const wrong = new Error(`${file} has no profiles: mend or remove it, then 'cloud-ffmpeg login'`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(wrong.message, { cause: error })
  }
  if (typeof value !== 'object' || value === null || !('byName' in value)) throw wrong
  const { byName } = value
  if (typeof byName !== 'object' || byName === null) throw wrong
  if (!Object.values(byName).every(isProfile)) throw wrong
  const current = 'current' in value && typeof value.current === 'string' ? value.current : null
  return { current, byName: byName as Readonly<Record<string, Profile>> }
}

function isProfile(value: unknown): value is Profile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'url' in value &&
    typeof value.url === 'string' &&
    'apiKey' in value &&
    typeof value.apiKey === 'string'
  )
}
