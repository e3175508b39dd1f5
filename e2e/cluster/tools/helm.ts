import type { ClusterSettings } from '../settings.ts'
import { goTool } from './go.ts'
import type { Say } from './progress.ts'

/** Helm 4: the current line, builds without replace lines, and reads the same charts. */
const version = 'v4.3.1'

/** Answers the path of helm, from the cache or built. */
export async function helmCommand({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const packagePath = 'helm.sh/helm/v4/cmd/helm'
  return goTool({ name: 'helm', packagePath, version, usually: '1 to 3 min', settings, say })
}
