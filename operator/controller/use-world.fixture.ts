import { directly } from '../../common/runtime/failpoint.ts'
import type { Plan } from '../../common/domain/plans.ts'
import { createWorld } from './controller.fixture.ts'
import type { World } from './controller.fixture.ts'
import { account } from './world-parts.fixture.ts'
import type { WorldOptions } from './world-parts.fixture.ts'

/** A world with one account for each test of the present `describe`, and its controller at work. */
export function useWorld(plan: Partial<Plan> = {}, options: WorldOptions = {}): World {
  const world = {} as World
  beforeEach(async () => {
    Object.assign(world, createWorld(directly, plan, options))
    await world.start()
    await world.store.ensureAccount(account)
  })
  afterEach(() => world.stop())
  return world
}
