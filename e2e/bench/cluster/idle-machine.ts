import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const pollEveryMs = 250
const longestMs = 15_000
/** Part of all processors; a cluster that does nothing takes some 5 %. */
const busyPart = 0.12

/**
 * Waits until this machine has been idle for half a second: what Kubernetes does after the end of a
 * pod (sandbox, network, volumes, objects) takes a processor for a second or two, and is not part of
 * what is measured next.
 */
export async function idleMachine(): Promise<void> {
  let before = await processorTimes()
  let quiet = 0
  for (let waitedMs = 0; quiet < 2 && waitedMs < longestMs; waitedMs += pollEveryMs) {
    await delay(pollEveryMs)
    const now = await processorTimes()
    const busy = 1 - (now.idle - before.idle) / (now.all - before.all)
    quiet = busy < busyPart ? quiet + 1 : 0
    before = now
  }
}

/** Ticks since the start, proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal. */
async function processorTimes(): Promise<{ idle: number; all: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  const [, , , idle = 0, waiting = 0] = ticks
  return { idle: idle + waiting, all: ticks.reduce((sum, each) => sum + each, 0) }
}
