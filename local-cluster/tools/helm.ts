import path from 'node:path'
import { chosenProvider } from '../host/choose-provider.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { findCommand } from './find-command.ts'
import { goTool } from './go.ts'
import { kubernetesFolder } from './kubernetes.ts'
import type { Say } from '../host/progress.ts'

const version = 'v4.2.4'

/** Answers the path of helm: from PATH, that of the local cluster's tools where they are what this machine uses, or built. */
export async function helmCommand({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const installed = await findCommand('helm')
  if (installed !== undefined) return installed
  if ((await chosenProvider(settings)) === 'local') {
    return path.join(await kubernetesFolder({ settings, say }), 'helm')
  }
  const packagePath = 'helm.sh/helm/v4/cmd/helm'
  return goTool({ name: 'helm', packagePath, version, usually: '1 to 3 min', settings, say })
}
