import type { ClusterSettings } from '../settings.ts'
import { findCommand } from './find-command.ts'
import { goTool } from './go.ts'
import type { Say } from './progress.ts'

const version = 'v4.2.4'

/** Answers the path of helm where no local cluster brings its own: from PATH, from the cache, or built. */
export async function helmCommand({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const installed = await findCommand('helm')
  if (installed !== undefined) return installed
  const packagePath = 'helm.sh/helm/v4/cmd/helm'
  return goTool({ name: 'helm', packagePath, version, usually: '1 to 3 min', settings, say })
}
