import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { createLimit } from '../../common/bounded/limit.ts'
import type { Clock, Failpoint } from '../../common/runtime/effects.ts'
import type { Kill, Order, Probe, Run } from '../link/messages.ts'
import { createFfprobePool } from './probe/ffprobe-pool.ts'
import { startFfprobe } from './probe/ffprobe-process.ts'
import type { FfprobeProcess, ProbeKind } from './probe/ffprobe-process.ts'
import { probe, recordProbes } from './probe/probe.ts'
import type { Send } from './run/run-report.ts'
import { startRun } from './run/run.ts'
import type { RunningCommand } from './run/run.ts'
import type { MemoryGroup, PidsGroup } from './sandbox/control-group.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

export interface OrderDeps {
  readonly clock: Clock
  readonly failpoint: Failpoint
  readonly memory: MemoryGroup
  readonly pids: PidsGroup
  readonly sandbox: Sandbox
  /** FFmpeg's working folder. */
  readonly work: string
  /** Largest picture that ffprobe may decode. */
  readonly maxPixels: number
  readonly send: Send
  /** Gets the work of each order; its rejection is a bug. */
  readonly track: (task: Promise<void>) => void
}

export interface Orders {
  /** @throws an error for a run whose id is taken */
  carryOut(order: Order): void
  /** Ends all that was started; each run is still answered. */
  interrupt(): void
}

/** Runs and probes for `transfer` in a sandbox that has passed its self-test. */
export function carryOutOrders(deps: OrderDeps): Orders {
  const { clock, failpoint, sandbox, work, maxPixels, send, track } = deps
  const aborter = new AbortController()
  const { signal } = aborter
  const commands = new Map<string, RunningCommand>()
  const probeSlot = createLimit(availableParallelism())
  const expected = createFfprobePool(startProbe)

  return {
    carryOut(order) {
      if (order.type === 'kill') return end(order)
      if (order.type === 'probe') return track(answer(order))
      if (commands.has(order.id)) throw new Error(`run '${order.id}' is under way already`)
      track(execute(order))
    },
    interrupt() {
      commands.forEach((command) => command.end('interrupted'))
      aborter.abort()
    },
  }

  async function answer(request: Probe): Promise<void> {
    const probed = await probeSlot(() => probe({ work, processFor }, request))
    expected.forget(resolve(work, request.path))
    await failpoint('supervisor.probed', async () => send(probed, false))
  }

  function processFor(file: string, kind: ProbeKind): FfprobeProcess {
    return expected.take(file, kind) ?? startProbe(kind)
  }

  function startProbe(kind: ProbeKind): FfprobeProcess {
    return startFfprobe({ clock, sandbox, maxPixels, signal }, kind)
  }

  async function execute(run: Run): Promise<void> {
    const outputs = run.outputs.map((path) => resolve(work, path))
    const onSpawned = (): void => {
      if (!signal.aborted) for (const file of outputs) expected.expect(file, recordProbes(file))
    }
    const command = startRun({ ...deps, onSpawned }, run)
    commands.set(run.id, command)
    const { code, reason } = await command.ended
    commands.delete(run.id)
    if (code !== 0 || reason !== null) for (const file of outputs) expected.forget(file)
  }

  function end({ id, reason }: Kill): void {
    for (const [each, command] of commands) if (id === null || id === each) command.end(reason)
  }
}
