import type { ClusterSettings } from '../settings.ts'
import { goTool } from './go.ts'
import type { Say } from './progress.ts'

const version = 'v1.8.0'

/** Answers the path of versitygw, an S3 server over a folder, from the cache or built. */
export async function versitygwCommand({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const packagePath = 'github.com/versity/versitygw/cmd/versitygw'
  return goTool({ name: 'versitygw', packagePath, version, usually: '2 to 6 min', settings, say })
}
