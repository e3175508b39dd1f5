import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { processSeconds } from '../api/load.ts'

export interface Cost {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Largest resident memory, MB. */
  readonly peakMb: number
}

/**
 * Runs a program to its end. A cost that the program prints itself is taken, which leaves its start out;
 * of any other the kernel's figures are read while it runs.
 * @throws where it fails
 */
export async function costOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Cost> {
  const startedAt = performance.now()
  const child = spawn(program, args, { env: { ...process.env, ...env } })
  const output = { out: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.error += chunk.toString()))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const stop = { now: false }
  const watching = watch(child.pid ?? 0, stop)
  const code = await ended
  const seconds = (performance.now() - startedAt) / 1000
  stop.now = true
  const seen = await watching
  if (code !== 0) {
    throw new Error(`${program} ended with ${String(code)}: ${output.error.slice(-2000)}`)
  }
  return ownCost(output.out) ?? { seconds, ...seen }
}

async function watch(pid: number, stop: { now: boolean }): Promise<Omit<Cost, 'seconds'>> {
  let seen = { cpuSeconds: 0, peakMb: 0 }
  while (!stop.now) {
    try {
      const status = await readFile(`/proc/${String(pid)}/status`, 'utf8')
      const peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? seen.peakMb * 1024) / 1024
      seen = { cpuSeconds: await processSeconds(pid), peakMb }
    } catch {
      // It has ended; the last figures count.
      break
    }
    await wait(20)
  }
  return seen
}

function ownCost(output: string): Cost | null {
  const line = output.trim()
  if (!line.startsWith('{')) return null
  const cost: unknown = JSON.parse(line)
  if (typeof cost !== 'object' || cost === null) return null
  if (!('seconds' in cost) || !('cpuSeconds' in cost) || !('peakMb' in cost)) return null
  return {
    seconds: Number(cost.seconds),
    cpuSeconds: Number(cost.cpuSeconds),
    peakMb: Number(cost.peakMb),
  }
}
