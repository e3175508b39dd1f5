import type { Failpoint, FailpointName } from '../../common/runtime/effects.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'
import { createWorld } from './controller.fixture.ts'
import type { World } from './controller.fixture.ts'

export type Fault = 'crash before' | 'crash after' | 'done twice'
export const faults: readonly Fault[] = ['crash before', 'crash after', 'done twice']

class Crash extends Error {}

export type Play = (world: World) => Promise<string>

/** @param point null = no fault */
export async function hit(
  point: FailpointName | null,
  fault: Fault,
  play: Play,
  runner: Partial<RunnerSettings> = {},
) {
  const met = new Set<FailpointName>()
  let isArmed = true
  let crashes = 0
  let restarts = 0
  const failpoint: Failpoint = async (at, effect) => {
    // A process that has crashed does nothing any more.
    if (crashes > restarts) throw new Crash()
    met.add(at)
    if (at !== point || !isArmed) return effect()
    isArmed = false
    if (fault !== 'crash before') await effect()
    if (fault === 'done twice') return effect()
    crashes += 1
    throw new Crash()
  }
  const world = createWorld(failpoint, {}, { runner })
  const jobsMade: string[] = []
  world.server.cluster.onChange(({ type, object }) => {
    if (type === 'ADDED' && object.kind === 'Job') jobsMade.push(object.metadata.name)
  })
  await world.start()
  watch()
  const id = await play(world)
  await world.clock.advance(300_000)
  const { status, errorStatus, jobGeneration } = await world.rowOf(id)
  const left = ['FfmpegCommand', 'Job'].flatMap((kind) =>
    world.server.cluster.list(kind).map(({ metadata }) => metadata.name),
  )
  await world.stop()
  return { met, left, jobsMade, end: `${status} ${errorStatus} ${jobGeneration}` }

  /** Restarts a process that has ended, as Kubernetes does. */
  function watch(): void {
    world.clock.schedule(100, () => void restart().then(watch))
  }

  async function restart(): Promise<void> {
    if (crashes === restarts) return
    world.crash()
    // The connections of pods break with the process.
    world.waiters.release()
    restarts = crashes
    await world.start()
  }
}
