import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file of this container's group. Read synchronously: the kernel answers from memory, a thread of
 * Node.js costs more than that, and the start and the end of each command wait for it.
 * @param mount usually /sys/fs/cgroup
 * @returns null for the other version's file, one that this kernel does not have, or no group at
 * all
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

/** Figures of the container's memory cgroup, in bytes. */
export interface MemoryFigures {
  readonly current: number
  readonly peak: number
  readonly limit: number | null
}

export interface MemoryGroup {
  /** null if the group cannot be read: memory is then judged by signals alone. */
  figures(): MemoryFigures | null
  /** How many processes the kernel has killed for this group's memory; null = unknown. */
  oomKills(): number | null
}

/**
 * Version 2 shows the container's group at the mount's root, version 1 in the folder of the memory
 * controller (kernel documentation, cgroup-v2.rst and cgroup-v1/memory.rst).
 * @param mount usually /sys/fs/cgroup
 */
export function memoryGroup(mount: string): MemoryGroup {
  return {
    figures() {
      const modern = read('memory.current')
      if (modern !== null) {
        return figures(modern, read('memory.peak'), read('memory.max'))
      }
      const current = read('memory/memory.usage_in_bytes')
      if (current === null) return null
      return figures(
        current,
        read('memory/memory.max_usage_in_bytes'),
        read('memory/memory.limit_in_bytes'),
      )
    },
    oomKills() {
      const text = read('memory.events') ?? read('memory/memory.oom_control')
      return text === null ? null : eventCount(text, 'oom_kill')
    },
  }

  function read(name: string): string | null {
    return readGroupFile(mount, name)
  }
}

function figures(current: string, peak: string | null, limit: string | null): MemoryFigures {
  const used = Number(current)
  const most = limit === null || limit.trim() === 'max' ? null : Number(limit)
  return {
    current: used,
    peak: peak === null ? used : Number(peak),
    // version 1 writes "no limit" as the largest number of pages
    limit: most !== null && most < unlimitedFrom ? most : null,
  }
}

const unlimitedFrom = 2 ** 62

export interface PidsGroup {
  /**
   * How often the kernel has refused this container a thread or process (fork and clone fail with
   * EAGAIN); null = unknown.
   */
  refusals(): number | null
}

/**
 * The limit is the node's (`podPidsLimit` of its kubelet) and set on the group of the pod, which
 * its containers do not see. Version 1, and version 2 before Linux 6.11, count in the group that
 * requested the thread; since then version 2 counts in the group with the limit (kernel
 * documentation, cgroup-v2.rst, PID): in a container then only a limit of its own shows, as
 * container engines set it.
 * @param mount usually /sys/fs/cgroup
 */
export function pidsGroup(mount: string): PidsGroup {
  return {
    refusals() {
      const text = readGroupFile(mount, 'pids.events') ?? readGroupFile(mount, 'pids/pids.events')
      return text === null ? null : eventCount(text, 'max')
    },
  }
}
