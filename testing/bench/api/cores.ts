import { availableParallelism } from 'node:os'
import { spawnSync } from 'node:child_process'

const pinning = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Servers share one core and the load has another, where there are two and `taskset` is known. */
export function onCore(
  who: 'server' | 'load',
  command: string,
  args: readonly string[],
): { command: string; args: string[] } {
  if (!pinning) return { command, args: [...args] }
  return { command: 'taskset', args: ['-c', who === 'server' ? '0' : '1', command, ...args] }
}
