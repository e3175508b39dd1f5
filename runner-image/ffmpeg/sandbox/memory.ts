import { eventCount, readGroupFile } from './group-file.ts'

/** Of the container's memory cgroup, in bytes. */
export interface MemoryFigures {
  readonly current: number
  readonly peak: number
  readonly limit: number | null
}

export interface MemoryGroup {
  /** null where the group cannot be read: memory is then judged by signals alone. */
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
