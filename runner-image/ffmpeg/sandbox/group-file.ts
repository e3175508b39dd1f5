import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file of this container's group. The kernel answers from memory: a thread that reads for Node.js
 * costs more than that, and the start and the end of each command wait for it.
 * @param mount usually /sys/fs/cgroup
 * @returns null for the other version's file, one that this kernel does not have, or no group at all
 */
export function readGroupFile(mount: string, name: string): string | null {
  try {
    return readFileSync(join(mount, name), 'utf8')
  } catch {
    return null
  }
}

/** The count behind a name in files such as `memory.events` and `pids.events`. */
export function eventCount(text: string, event: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${event} `))
  return line === undefined ? null : Number(line.slice(event.length + 1))
}
