import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export interface ControlGroup {
  /** On this machine. */
  readonly path: string
  /** Path at which a container sees its own group: it depends on the version of cgroups. */
  readonly mount: string
  /** Allows `more` than is in use now, from now on. */
  allowMore(more: number): Promise<void>
  remove(): Promise<void>
}

const files = {
  /** Bytes, no swap. */
  memory: {
    modern: { limit: 'memory.max', use: 'memory.current' },
    old: { limit: 'memory.limit_in_bytes', use: 'memory.usage_in_bytes' },
  },
  /** Processes and threads. */
  pids: {
    modern: { limit: 'pids.max', use: 'pids.current' },
    old: { limit: 'pids.max', use: 'pids.current' },
  },
} as const

/** A group of processes that together get at most `limit` of something. Needs a root shell. */
export async function createControlGroup(
  controller: keyof typeof files,
  limit: number | 'max',
): Promise<ControlGroup> {
  const isModern = existsSync('/sys/fs/cgroup/cgroup.subtree_control')
  const mount = isModern ? '/sys/fs/cgroup' : `/sys/fs/cgroup/${controller}`
  groups += 1
  const folder = path.join(mount, `runner-test-${String(process.pid)}-${String(groups)}`)
  const { limit: limitFile, use } = files[controller][isModern ? 'modern' : 'old']
  const setLimit = (value: number | 'max') => writeFile(path.join(folder, limitFile), String(value))
  await mkdir(folder)
  if (isModern) await writeFile('/sys/fs/cgroup/cgroup.subtree_control', `+${controller}`)
  await setLimit(limit)
  return {
    path: folder,
    mount,
    async allowMore(more) {
      await setLimit(Number(await readFile(path.join(folder, use), 'utf8')) + more)
    },
    remove: () => rmdir(folder),
  }
}

let groups = 0
