import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export interface MemoryGroupFolder {
  /** On this machine. */
  readonly path: string
  /** Where a container sees its own group: it depends on the version of cgroups. */
  readonly mount: string
  remove(): Promise<void>
}

/** A group of processes with at most so many bytes of memory, and no swap. Needs a root shell. */
export async function createMemoryGroup(name: string, bytes: number): Promise<MemoryGroupFolder> {
  const modern = existsSync('/sys/fs/cgroup/cgroup.subtree_control')
  const mount = modern ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory'
  const folder = path.join(mount, name)
  await mkdir(folder)
  if (modern) {
    await writeFile('/sys/fs/cgroup/cgroup.subtree_control', '+memory')
    await writeFile(path.join(folder, 'memory.max'), String(bytes))
  } else {
    await writeFile(path.join(folder, 'memory.limit_in_bytes'), String(bytes))
  }
  return { path: folder, mount, remove: () => rmdir(folder) }
}
