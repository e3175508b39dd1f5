import { runnerParts, startSupervised } from './test-runner.ts'
import type { MadeParts, RunnerParts, RunningSupervisor, Supervised } from './test-runner.ts'
import type { FFmpegBuild } from '../../../images/build-runner.ts'

/** Gives the surrounding `describe` the parts of a runner; to be read in its hooks and tests only. */
export function useRunnerParts(build: FFmpegBuild = {}): RunnerParts {
  let made: MadeParts | undefined
  before(async function () {
    // where nothing is cached, this builds the image
    this.timeout(600_000)
    made = await runnerParts(build)
  })
  after(() => made?.remove())
  const parts = (): RunnerParts => known(made)
  return {
    get root() {
      return parts().root
    },
    get app() {
      return parts().app
    },
  }
}

/** Gives the surrounding `describe` one supervisor for all of its tests, on parts of its own. */
export function useSupervised(): Supervised & Pick<RunnerParts, 'root'> {
  let started: RunningSupervisor | undefined
  // hooks run in the order of their registration: it must end before its parts are removed
  after(() => started?.[Symbol.asyncDispose]())
  const parts = useRunnerParts()
  before(async () => {
    started = await startSupervised(parts)
  })
  const supervised = (): RunningSupervisor => known(started)
  return {
    get root() {
      return parts.root
    },
    get container() {
      return supervised().container
    },
    get client() {
      return supervised().client
    },
    run: (...command) => supervised().run(...command),
    begin: (...command) => supervised().begin(...command),
  }
}

function known<T>(made: T | undefined): T {
  if (made === undefined) throw new Error('there is no runner outside of hooks and tests')
  return made
}
