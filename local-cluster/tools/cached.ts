import { access, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import { withLock } from './lock.ts'
import { withProgress, type Say } from '../host/progress.ts'

export interface CachedThing {
  /** File or folder name in the cache; it carries the version and a hash of everything the content depends on. */
  readonly key: string
  /** Name of the thing that is being made and its usual duration, for people. */
  readonly what: string
  readonly usually: string
  readonly settings: ClusterSettings
  readonly say: Say
}

/**
 * Answers the path of a file or folder in the cache, made by `make` if it is not there. Two processes never make the same
 * thing, and a half-made thing never carries the final name.
 */
export async function cached(
  { key, what, usually, settings, say }: CachedThing,
  make: (partial: string, onLine: (line: string) => void) => Promise<void>,
): Promise<string> {
  const final = path.join(settings.cacheFolder, key)
  if (await exists(final)) return final
  const onWait = () => say(`${what}: another process is at it, waiting`)
  return withLock(`${final}.lock`, onWait, async () => {
    if (await exists(final)) return final
    const partial = `${final}.partial`
    await rm(partial, { recursive: true, force: true })
    try {
      await withProgress(say, { what, usually }, (onLine) => make(partial, onLine))
      await rename(partial, final)
    } finally {
      // half of something is of no use, and may be gigabytes
      await rm(partial, { recursive: true, force: true })
    }
    return final
  })
}

export async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    // any reason counts as not there: making it again then says what is wrong
    return false
  }
}
