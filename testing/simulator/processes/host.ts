import { createProcess } from '../world/process.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import type { World } from '../world/world.ts'

/** Restarts a program that ends, as a kubelet does for a container of ours. */
export interface Host<Program> {
  readonly name: string
  /** null between an end and the next start. */
  running(): { process: SimulatedProcess; program: Program } | null
  /** How often it was started. */
  starts(): number
  /** Ends it without any warning. */
  crash(why: string): void
}

export function createHost<Program>(
  world: Pick<World, 'clock' | 'processes' | 'trace'>,
  deps: {
    name: string
    random: Random
    boot: (process: SimulatedProcess, exit: (why: string) => void) => Program
  },
): Host<Program> {
  let starts = 0
  let current: { process: SimulatedProcess; program: Program } | null = null
  start()
  return { name: deps.name, running: () => current, starts: () => starts, crash: end }

  function start(): void {
    starts += 1
    const process = createProcess(`${deps.name}#${starts}`, world.clock)
    world.trace.add(process.name, 'starts')
    const exit = (why: string): void => {
      if (process.isAlive()) end(why)
    }
    current = { process, program: deps.boot(process, exit) }
  }

  function end(why: string): void {
    if (current === null) return
    world.trace.add(current.process.name, `ends: ${why}`)
    current.process.kill()
    const { name } = current.process
    current = null
    // The kubelet finds out within a second or two, and only then other processes can read it from the pod's status.
    world.clock.schedule(deps.random.between(200, 2_000), () => world.processes.ended(name))
    world.clock.schedule(deps.random.between(200, 5_000), start)
  }
}
