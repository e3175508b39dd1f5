import { spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filterOfKernelWithout } from './lesser-kernel.ts'
import type { KernelFeature } from './lesser-kernel.ts'
import type { ControlGroup } from './control-group.ts'

export interface Container {
  /** On this machine; `/job` and `/link` of the container. */
  readonly job: string
  readonly link: string
  readonly ended: Promise<{ code: number | null; signal: string | null; log: string }>
  /** To the supervisor. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** The supervisor's process on this machine. */
  processId(): Promise<number>
  /** Ends it and removes its folders. */
  remove(): Promise<void>
}

/**
 * Runs the supervisor as the first process of namespaces of its own, in the runner image's root, as
 * the image's user without any capability: what the kernel's fences see is what they see in a pod.
 * Needs a root shell; no container runtime.
 */
export async function startContainer(options: {
  /** Unpacked image. */
  readonly root: string
  /** Folder of `supervisor.mjs`. */
  readonly app: string
  readonly args?: readonly string[]
  readonly group?: ControlGroup
  /** The kernel answers as one without it does. */
  readonly without?: KernelFeature
  /** The working folder is a file system of its own: `size=80m,nr_inodes=500` (tmpfs(5)). */
  readonly workDisk?: string
  /** Environment of the supervisor, not of what it starts. */
  readonly env?: Readonly<Record<string, string>>
}): Promise<Container> {
  const { root, app, args = [], group, without, workDisk = '', env = {} } = options
  const folder = await mkdtemp(path.join(tmpdir(), 'runner-'))
  const job = path.join(folder, 'job')
  const link = path.join(folder, 'link')
  for (const each of [job, link, ...['in', 'work', 'tmp'].map((name) => path.join(job, name))]) {
    await mkdir(each, { recursive: true })
    await chown(each, runnerId, runnerId)
  }
  const filter = without === undefined ? '' : `no-${without}.bpf`
  if (without !== undefined)
    await writeFile(path.join(link, filter), filterOfKernelWithout(without))
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--propagation',
      'private',
      'sh',
      '-ec',

      enter,
      'sh',
      root,
      job,
      link,
      app,
      group?.path ?? '',
      group?.mount ?? '',
      filter,
      workDisk,
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], ...env } },
  )
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  }
  const ended = new Promise<Awaited<Container['ended']>>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, log }))
  })
  /** `unshare` stays outside and waits; what it forked has become the supervisor. */
  async function processId(): Promise<number> {
    const pid = String(child.pid)
    return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim())
  }
  return {
    job,
    link,
    ended,
    processId,
    async kill(signal) {
      process.kill(await processId(), signal)
    },
    async remove() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** User and group of the image. */
export const runnerId = 10001

/** The mounts of a pod: everything read-only but the job's folders and the link. */
const enter = `
root=$1 job=$2 link=$3 app=$4 group=$5 groupmount=$6 filter=$7 disk=$8
shift 8
if [ -n "$group" ]; then echo $$ >"$group/cgroup.procs"; fi
mount --bind "$root" "$root"
mount --bind "$app" "$root/app"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
if [ -n "$group" ]; then mount -t tmpfs tmpfs "$root/sys/fs/cgroup"; mkdir -p "$root$groupmount"; mount --bind "$group" "$root$groupmount"; fi
mount -t tmpfs tmpfs "$root/dev"
for device in null zero urandom; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount --bind "$job" "$root/job"
mount --bind -o ro "$job/in" "$root/job/in"
if [ -n "$disk" ]; then mount -t tmpfs -o "$disk,uid=10001,gid=10001" tmpfs "$root/job/work"; fi
mount --bind "$link" "$root/link"
set -- /usr/local/bin/node /app/supervisor.mjs "$@"
if [ -n "$filter" ]; then set -- /usr/bin/setpriv --no-new-privs --seccomp-filter "/link/$filter" "$@"; fi
exec chroot --userspec=10001:10001 --groups=10001 "$root" "$@"
`
