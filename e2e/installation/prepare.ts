import { clusterSettings } from '../cluster/host/settings.ts'
import { browserNeeds, installMissing, shellNeeds } from '../cluster/tools/debian-packages.ts'
import { ensureTools } from '../cluster/local/ensure-tools.ts'
import { prometheusFolder } from '../cluster/tools/prometheus.ts'
import { buildImagesAndS3 } from './images.ts'

/** Builds all that a cluster needs ahead of time, into the cache, and installs what stories run. */
const settings = clusterSettings(process.env)
const say = (text: string): void => console.log(`[prepare] ${text}`)
await Promise.all([
  ensureTools({ settings, say }),
  buildImagesAndS3({ settings, say }).s3,
  prometheusFolder({ settings, say }),
  ...[shellNeeds, browserNeeds].map((needs) => installMissing(needs, say).catch(sayMissing)),
])

/** The builds go on; a story that needs what is missing fails with the same message. */
function sayMissing(error: unknown): void {
  say(error instanceof Error ? error.message : String(error))
}
