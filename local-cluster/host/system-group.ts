import { access, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hasCode } from './has-code.ts'
import { childrenOf } from './processes.ts'
import type { Instance } from './instance.ts'
import type { ProcessRecord } from './processes.ts'

/**
 * The control group of an instance's own servers: etcd, kube-apiserver, kubelet, containerd, PostgreSQL, S3. It weighs
 * more than the group of all pods. Left in the root group, each of their threads weighs a tenth of the pods together, so
 * that four encodes starve the control plane: its API then takes seconds to answer, and leaders lose their Leases.
 */
export function systemGroup(instance: Instance): string {
  return `${instance.cgroup}-system`
}

/**
 * Moves a process and what it has started into the group. Its later children inherit the group. Where the group was not
 * made (another cluster provider, another system) the process stays where it is.
 */
export async function joinSystemGroup(instance: Instance, process: ProcessRecord): Promise<void> {
  const file = await memberFile(instance)
  if (file !== null) await join(file, process.pid)
}

/** The process first: a child that it starts meanwhile is born in the group or found by the check that follows. */
async function join(file: string, pid: number): Promise<void> {
  try {
    await writeFile(file, String(pid))
  } catch (error) {
    // The process has ended since.
    if (!hasCode(error, 'ESRCH')) throw error
  }
  for (const child of await childrenOf(pid)) {
    if (!(await isMember(file, child.pid))) await join(file, child.pid)
  }
}

async function isMember(file: string, pid: number): Promise<boolean> {
  const members = await readFile(file, 'utf8')
  return members.split('\n').includes(String(pid))
}

async function memberFile(instance: Instance): Promise<string | null> {
  for (const hierarchy of ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup']) {
    const file = path.join(hierarchy, systemGroup(instance), 'cgroup.procs')
    try {
      await access(file)
      return file
    } catch {
      // the other version of control groups, or none
    }
  }
  return null
}
