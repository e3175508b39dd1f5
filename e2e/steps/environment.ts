import { createClient } from '../../cli/client/client.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { NoCluster } from '../../local-cluster/host/types.ts'
import { imagePrograms } from '../../images/image-programs.ts'
import { kubectl } from '../installation/install.ts'
import { startOrigin } from './origin.ts'
import {
  attachToInstallation,
  namespace,
  samples,
  startInstallation,
  stopInstallation,
} from './story-installation.ts'
import type { Client } from '../../cli/client/client.ts'
import type { ImagePrograms } from '../../images/image-programs.ts'
import type { Origin } from './origin.ts'
import type { StoryInstallation } from './story-installation.ts'

/** One installation that all stories share, as the tenants of a real one do. */
export interface Environment extends StoryInstallation {
  readonly client: Client
  readonly programs: ImagePrograms
  readonly origin: Origin
  /** A folder of files that `origin` serves. */
  readonly folder: string
  /** Runs kubectl in the installation's namespace. */
  kubectl(...args: string[]): Promise<string>
  apply(object: object): Promise<string>
}

let attached: Promise<Environment> | undefined
let isOwn = false

/**
 * Attaches at the first call; every story file calls it in a `before`. The installation is the running one that
 * `E2E_INSTALLATION` names, or else one of this process, which ends with its last story.
 */
export function environment(context: Mocha.Context): Promise<Environment> {
  return orSkip(context, () => {
    attached ??= attach()
    return attached
  })
}

/** Gives the surrounding `describe` the installation, which hooks and tests alone may read. */
export function useEnvironment(): Environment {
  const env = {} as Environment
  before(async function () {
    Object.assign(env, await environment(this))
  })
  return env
}

async function attach(): Promise<Environment> {
  const given = process.env['E2E_INSTALLATION']
  isOwn = given === undefined
  const installation = await attachToInstallation(given ?? (await startInstallation()))
  const { cluster, installed } = installation
  const programs = await imagePrograms({
    settings: clusterSettings(process.env),
    say: () => undefined,
  })
  const origin = await startOrigin({ address: cluster.hostAddress, folder: samples })
  return {
    ...installation,
    programs,
    origin,
    folder: samples,
    client: createClient({ url: installed.url, apiKey: installed.apiKey }),
    kubectl: (...args) => kubectl(cluster, ['-n', namespace, ...args]),
    apply: (object) =>
      kubectl(cluster, ['-n', namespace, 'apply', '-f', '-'], JSON.stringify(object)),
  }
}

/**
 * If this machine lacks what the stories need, they are skipped and counted as not run; in CI
 * that is a failure.
 */
export async function orSkip<T>(context: Mocha.Context, prepare: () => Promise<T>): Promise<T> {
  context.timeout(0)
  try {
    return await prepare()
  } catch (error) {
    if (!(error instanceof NoCluster) || process.env['CI'] !== undefined) throw error
    console.log(`  ${error.message}`)
    return context.skip()
  }
}

/** At the root. The origin needs no end: an idle server does not keep the process of the stories alive. */
after(async () => {
  if (isOwn) await stopInstallation()
})
