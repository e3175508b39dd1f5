import { eventCount, readGroupFile } from './group-file.ts'

export interface PidsGroup {
  /**
   * How often the kernel has refused this container a thread or process (fork and clone fail with
   * EAGAIN); null = unknown.
   */
  refusals(): number | null
}

/**
 * The limit is the node's (`podPidsLimit` of its kubelet) and set on the group of the pod, which its
 * containers do not see. Version 1, and version 2 before Linux 6.11, count where the thread was asked
 * for; since then version 2 counts where the limit is (kernel documentation, cgroup-v2.rst, PID): in
 * a container then only a limit of its own shows, as container engines set it.
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
