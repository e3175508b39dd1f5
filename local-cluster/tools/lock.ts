import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../host/has-code.ts'
import { isAlive, recordOf, type ProcessRecord } from '../host/processes.ts'

/**
 * Runs `work` while no other process holds the same lock file. A lock whose holder died is taken over.
 *
 * @param onWait called once, when another process holds the lock.
 */
export async function withLock<T>(
  file: string,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  // on a machine where nothing ran yet even what only stops or removes comes first
  await mkdir(path.dirname(file), { recursive: true })
  let hasAnnounced = false
  for (;;) {
    if (await take(file)) break
    if (await removedDeadHolder(file)) continue
    if (!hasAnnounced) onWait()
    hasAnnounced = true
    await delay(200)
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function take(file: string): Promise<boolean> {
  // a link appears with its content at once: a reader never sees an empty lock
  const own = `${file}.${randomUUID()}`
  await writeFile(own, JSON.stringify(await recordOf(process.pid)))
  try {
    await link(own, file)
    return true
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return false
  } finally {
    await rm(own, { force: true })
  }
}

/** Answers whether the lock may be free now. */
async function removedDeadHolder(file: string): Promise<boolean> {
  const holder = await readHolder(file)
  if (holder === undefined) return true
  if (await isAlive(holder)) return false
  // renamed before removed: of two waiters that saw the dead holder only one gets it
  const taken = `${file}.dead-${randomUUID()}`
  try {
    await rename(file, taken)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true
    throw error
  }
  const removed = await readHolder(taken)
  if (removed !== undefined && (await isAlive(removed))) await link(taken, file)
  await rm(taken)
  return true
}

async function readHolder(file: string): Promise<ProcessRecord | undefined> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof parsed !== 'object' || parsed === null) return undefined
    if (!('pid' in parsed) || !('started' in parsed)) return undefined
    const { pid, started } = parsed
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
