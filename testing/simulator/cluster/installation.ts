import { uuidV7 } from '../../../common/ids/uuid-v7.ts'
import { startApi } from '../processes/api-process.ts'
import { failpointOf } from '../world/crash-plan.ts'
import { createGatewayService } from './gateway-service.ts'
import { createHost } from '../processes/host.ts'
import { runJobController } from './job-controller.ts'
import { runKubelets } from './kubelet.ts'
import { startOperator } from '../processes/operator-process.ts'
import { startRunner } from './runner.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { ApiProgram } from '../processes/api-process.ts'
import type { GatewayService } from './gateway-service.ts'
import type { Host } from '../processes/host.ts'
import type { JobController } from './job-controller.ts'
import type { Kubelets } from './kubelet.ts'
import type { OperatorProgram } from '../processes/operator-process.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import type { World } from '../world/world.ts'

/** Running parts: our processes, each twice, and the cluster's own controllers. */
export interface Installation {
  readonly apis: readonly Host<ApiProgram>[]
  readonly operators: readonly Host<OperatorProgram>[]
  readonly gateway: GatewayService
  readonly jobs: JobController
  readonly kubelets: Kubelets
}

export function startInstallation(world: World): Installation {
  const { clock, random, server, trace } = world
  const { cluster } = server
  const ids = random.fork('ids')
  const apis = ['api-1', 'api-2'].map((name) =>
    host(world, name, ids, (process, deps) => startApi(world, process, deps)),
  )
  const operators = ['operator-1', 'operator-2'].map((name) =>
    host(world, name, ids, (process, deps) => startOperator(world, process, deps)),
  )
  const gateway = createGatewayService({
    clock,
    trace,
    random: random.fork('gateway network'),
    operators: () => operators,
  })
  const waiting = random.fork('waiting runners')
  const kubelets: Kubelets = runKubelets({
    clock,
    cluster,
    trace,
    random: random.fork('kubelets'),
    roomVcpus: world.roomVcpus,
    start: (pod, onExit) =>
      startRunner(
        {
          clock,
          trace,
          storage: world.storage,
          ask: gateway.ask,
          assigned: (podUid, commandId) => world.oracle.assigned(podUid, commandId),
          random: waiting.next,
          // The kubelet syncs once a second.
          ffmpegContainerEnded: (name, ended) =>
            void clock.schedule(800, () => kubelets.containerEnded(name, ended)),
        },
        pod,
        onExit,
      ),
  })
  const jobs = runJobController({ clock, cluster, random: random.fork('jobs') })
  return { apis, operators, gateway, jobs, kubelets }
}

interface ProgramDeps {
  readonly random: Random
  readonly effects: Effects
  readonly exit: (why: string) => void
}

function host<Program>(
  world: World,
  name: string,
  ids: Random,
  start: (process: SimulatedProcess, deps: ProgramDeps) => Program,
): Host<Program> {
  const { random, trace, crashes } = world
  return createHost(world, {
    name,
    random: random.fork(`restarts of ${name}`),
    boot(process, exit) {
      const own = random.fork(process.name)
      const crash = (): void => exit('crashed at a failpoint')
      const effects = {
        clock: process.clock,
        random: own.next,
        newId: () => uuidV7(process.clock.wall().getTime(), tenBytes(ids)),
        failpoint: failpointOf(process, { plan: crashes, trace, crash }),
      }
      return start(process, { random: own, effects, exit })
    },
  })
}

function tenBytes(random: Random): Uint8Array {
  return Uint8Array.from({ length: 10 }, () => random.integer(0, 255))
}
