import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import { buildQuickly } from './go.ts'
import { goModule } from './go-module.ts'
import { leaveOut } from './left-out.ts'
import type { Say } from '../host/progress.ts'

/** Answers the path of versitygw, an S3 server over a folder, from the cache or built. */
export async function versitygwCommand({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const source = path.join(import.meta.dirname, 'versitygw')
  const folder = await goModule(
    { source, name: 'versitygw', release: 'github.com/versity/versitygw' },
    { what: 'the S3 server versitygw', usually: '1 to 4 min', settings, say },
    async (cwd, onLine) => {
      const go = { cwd, what: 'versitygw', onLine, inBackground: true }
      await buildQuickly({ ...go, output: 'versitygw', flags: await leaveOut(go) })
    },
  )
  return path.join(folder, 'versitygw')
}
