import { mbytes, quantity } from './quantity.ts'
import type { ContainerResources } from '../../common/kubernetes/resources/objects.ts'
import { resourcesFor } from './containers.ts'
import type { Resources } from './containers.ts'
import type { RunnerLimits } from './limits.ts'
import type { RunnerSettings, WarmSettings } from './runner-settings.ts'

/** CPU and memory of the two containers, which are all that a pod changes while it runs. */
export type RunnerSize = Readonly<Record<'transfer' | 'ffmpeg', ContainerSize>>

export interface ContainerSize {
  readonly requests: CpuAndMemory
  readonly limits: CpuAndMemory
}

interface CpuAndMemory {
  readonly cpu: string
  readonly memory: string
}

/** Limits of the largest command that a warm runner takes. */
export function classLimits(
  settings: Pick<RunnerSettings, 'memoryPerVcpuMbytes' | 'scratchMbytes'>,
  { vcpu }: WarmSettings,
): Omit<RunnerLimits, 'clocks'> {
  const { memoryPerVcpuMbytes, scratchMbytes } = settings
  return { cpus: vcpu, memoryMbytes: vcpu * memoryPerVcpuMbytes, scratchMbytes }
}

/**
 * A waiting warm runner. Limits reserve nothing, so they are those of the largest command and FFmpeg never waits
 * for a larger size. Requests are what idle processes use, or the reserved part of those of a command.
 */
export function warmRunnerSize(settings: RunnerSettings, warm: WarmSettings): RunnerSize {
  const full = commandSize(classLimits(settings, warm), settings)
  const sized = ({ limits, requests }: ContainerSize, idle: Amount): ContainerSize => ({
    limits,
    requests: atLeast(idle, requests, warm.reserve),
  })
  return {
    ffmpeg: sized(full.ffmpeg, { cpuMillis: 10, memoryMbytes: 64 }),
    transfer: sized(full.transfer, { cpuMillis: 5, memoryMbytes: 64 }),
  }
}

/**
 * Disk of its node that a waiting container requests. A pod that runs cannot request more: its command has the
 * limit, and the kubelet counts what is above the request against it where the node runs short.
 */
export function idleDisk(ofCommand: string | undefined, reserve: number): string {
  const most = mbytesOf(ofCommand ?? '0')
  return `${Math.min(most, Math.max(idleDiskMbytes, Math.ceil(reserve * most)))}Mi`
}

const idleDiskMbytes = 512

/** A warm runner that runs a command of these limits: what a Job made for it has, but for the QoS class. */
export function commandSize(
  limits: Omit<RunnerLimits, 'clocks'>,
  settings: RunnerSettings,
): RunnerSize {
  const { transfer, ffmpeg } = resourcesFor(limits, settings)
  return { ffmpeg: cpuAndMemory(ffmpeg), transfer: belowLimit(cpuAndMemory(transfer)) }
}

/**
 * The size as one text, equal for equal amounts: to keep it of each warm runner, and to compare.
 * @returns null where an amount is missing
 */
export function sizeText(containers: readonly ContainerResources[]): string | null {
  const parts = (['ffmpeg', 'transfer'] as const).map((name) => {
    const found = containers.find((container) => container.name === name)
    if (found === undefined) return null
    const amounts = [found.requests, found.limits].flatMap(({ cpu, memory }) => [cpu, memory])
    const numbers = amounts.map((amount) => (amount === undefined ? null : quantity(amount)))
    return numbers.includes(null) ? null : [name, ...numbers].join(' ')
  })
  return parts.includes(null) ? null : parts.join(', ')
}

export function textOf(size: RunnerSize): string | null {
  return sizeText(
    containersOf(size).map(({ name, requests, limits }) => ({
      name,
      requests: { ...requests },
      limits: { ...limits },
    })),
  )
}

/** The order is that of the pod: a resize that names its containers in another order is refused (422). */
export function containersOf(size: RunnerSize): (ContainerSize & { readonly name: string })[] {
  return (['transfer', 'ffmpeg'] as const).map((name) => ({ name, ...size[name] }))
}

interface Amount {
  readonly cpuMillis: number
  readonly memoryMbytes: number
}

function atLeast(idle: Amount, { cpu, memory }: CpuAndMemory, reserve: number): CpuAndMemory {
  const most = { cpuMillis: millisOf(cpu), memoryMbytes: mbytesOf(memory) }
  const reserved = (all: number, least: number): number =>
    Math.min(all, Math.max(least, Math.ceil(reserve * all)))
  return written({
    cpuMillis: reserved(most.cpuMillis, idle.cpuMillis),
    memoryMbytes: reserved(most.memoryMbytes, idle.memoryMbytes),
  })
}

/**
 * With requests that equal all limits the pod would change its QoS class to Guaranteed, which Kubernetes
 * refuses for a pod that runs.
 */
function belowLimit({ limits, requests }: ContainerSize): ContainerSize {
  const cpuMillis = Math.min(millisOf(requests.cpu), millisOf(limits.cpu) - 1)
  const memoryMbytes = Math.min(mbytesOf(requests.memory), mbytesOf(limits.memory) - 1)
  return { limits, requests: written({ cpuMillis, memoryMbytes }) }
}

function written({ cpuMillis, memoryMbytes }: Amount): CpuAndMemory {
  return { cpu: `${cpuMillis}m`, memory: `${memoryMbytes}Mi` }
}

function cpuAndMemory({ limits, requests }: Resources): ContainerSize {
  const of = ({ cpu, memory }: CpuAndMemory): CpuAndMemory => ({ cpu, memory })
  return { limits: of(limits), requests: of(requests) }
}

function millisOf(cpu: string): number {
  return Math.round((quantity(cpu) ?? 0) * 1_000)
}

function mbytesOf(memory: string): number {
  return mbytes(memory) ?? 0
}
