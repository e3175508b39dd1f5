import { readFile } from 'node:fs/promises'
import { load } from './load.ts'
import type { Load } from './load.ts'
import type { Rig } from './rig.ts'
import type { Figure } from '../figure/figure.ts'

const commands = 10_000
const connections = 16
/** As after the start of a server, so that both figures are of a server without requests. */
const settleMs = 5_000

/** Resident memory of an API server as in its image: without requests, and after many submissions. */
export async function serverMemory(rig: Rig, request: Load['requests'][number]): Promise<Figure[]> {
  const api = await rig.startImage()
  const settled = () => new Promise((resolve) => setTimeout(resolve, settleMs))
  await settled()
  const idle = await residentMb(api.pid)
  await load({ url: api.url, connections, seconds: 0, amount: commands, requests: [request] })
  await settled()
  const after = await residentMb(api.pid)
  await api.kill()
  return [
    { name: 'memory.idle', value: idle, unit: 'MB', limit: 100 },
    { name: `memory.after-${commands}`, value: after, unit: 'MB', limit: 130 },
  ]
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}
