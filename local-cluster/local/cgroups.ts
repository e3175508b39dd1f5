import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hasCode } from '../host/has-code.ts'
import type { Instance } from '../host/instance.ts'
import { NoCluster } from '../host/types.ts'
import { systemGroup } from '../host/system-group.ts'
import { waitFor } from '../host/wait-for.ts'

const root = '/sys/fs/cgroup'
const v1Controllers = [
  'cpu',
  'cpuacct',
  'cpuset',
  'memory',
  'pids',
  'blkio',
  'devices',
  'freezer',
  'systemd',
  'hugetlb',
  'net_cls',
  'net_prio',
  'perf_event',
  'unified',
]
const v2Controllers = ['cpu', 'cpuset', 'memory', 'pids', 'io']

/** `cpu.shares` of version 1: a process of this machine that belongs to none of our groups has 1,024. */
const podShares = 10_240
/** The servers take little processor time, and everything waits for them. */
const systemShares = 10 * podShares

/**
 * Makes the control groups of an instance: one that all pods live in, and one above it in weight for the servers.
 * Version 1 and hybrid are exercised; version 2 follows the kernel's documentation and has not been run.
 */
export async function ensureCgroups(instance: Instance): Promise<void> {
  const { cgroup } = instance
  if (await isThere(path.join(root, 'cgroup.controllers'))) {
    await enableV2Controllers()
    await mkdir(path.join(root, cgroup), { recursive: true })
    await mkdir(path.join(root, systemGroup(instance)), { recursive: true })
    // 100 is the weight of any other group, as 1,024 shares are in version 1.
    await writeFile(path.join(root, cgroup, 'cpu.weight'), '1000')
    await writeFile(path.join(root, systemGroup(instance), 'cpu.weight'), '10000')
    return
  }
  if (!(await isThere(path.join(root, 'memory')))) {
    throw new NoCluster(
      `no control groups below ${root}: mount cgroup2 there, or one hierarchy for each controller of version 1`,
    )
  }
  for (const folder of await hierarchies())
    await mkdir(path.join(folder, cgroup), { recursive: true })
  // All pods together would else weigh as much as one process of this machine: beside a compiler, say, an operator gets no
  // time to renew its Lease.
  await writeFile(path.join(root, 'cpu', cgroup, 'cpu.shares'), String(podShares))
  const system = path.join(root, 'cpu', systemGroup(instance))
  await mkdir(system, { recursive: true })
  await writeFile(path.join(system, 'cpu.shares'), String(systemShares))
  // a new group of this controller is empty, and no process can join a group without CPUs and memory nodes
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const all = await readFile(path.join(root, 'cpuset', file), 'utf8')
    await writeFile(path.join(root, 'cpuset', cgroup, file), all)
  }
}

export function removeCgroups({ cgroup }: Instance): Promise<void> {
  return removeGroup(cgroup)
}

/** After the last server: PostgreSQL and S3 outlive the cluster. */
export function removeSystemGroup(instance: Instance): Promise<void> {
  return removeGroup(systemGroup(instance))
}

async function removeGroup(name: string): Promise<void> {
  for (const folder of [root, ...(await hierarchies())]) {
    const group = path.join(folder, name)
    if (!(await isThere(group))) continue
    // the kernel lets go of a group a moment after its last process
    await waitFor(() => removeTree(group), { what: `${group} to be empty` })
  }
}

async function enableV2Controllers(): Promise<void> {
  const available = (await readFile(path.join(root, 'cgroup.controllers'), 'utf8'))
    .trim()
    .split(' ')
  const missing = v2Controllers.filter((controller) => !available.includes(controller))
  if (missing.length > 0) {
    throw new NoCluster(
      `this machine's root control group lacks the controllers ${missing.join(', ')}; inside a container, run it with its own cgroup ` +
        'namespace and all controllers delegated',
    )
  }
  const enabled = v2Controllers.map((controller) => `+${controller}`).join(' ')
  await writeFile(path.join(root, 'cgroup.subtree_control'), enabled)
}

async function hierarchies(): Promise<string[]> {
  const folders = v1Controllers.map((controller) => path.join(root, controller))
  const there = await Promise.all(folders.map(isThere))
  return folders.filter((_, index) => there[index])
}

/** Children first; false while the kernel still holds one. */
async function removeTree(group: string): Promise<boolean> {
  try {
    for (const entry of await readdir(group, { withFileTypes: true })) {
      if (entry.isDirectory() && !(await removeTree(path.join(group, entry.name)))) return false
    }
    await rmdir(group)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true
    if (hasCode(error, 'EBUSY')) return false
    throw error
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    return false
  }
}
