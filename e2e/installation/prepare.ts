import { clusterSettings } from '../cluster/settings.ts'
import { NoCluster } from '../cluster/no-cluster.ts'
import { browserNeeds, installMissing, shellNeeds } from '../cluster/tools/debian-packages.ts'
import { ensureTools } from '../cluster/tools/ensure-tools.ts'
import { buildImagesAndS3 } from './build-images-and-s3.ts'

/** Builds all that a cluster needs ahead of time, into the cache, and installs what stories run. */
const settings = clusterSettings(process.env)
const say = (text: string): void => console.log(`[prepare] ${text}`)
await Promise.all([
  ensureTools({ settings, say }),
  buildImagesAndS3({ settings, say }).s3,
  installMissing([...shellNeeds, ...browserNeeds], say).catch(sayMissing),
])

/** A story without them says so itself, and the builds go on. */
function sayMissing(error: unknown): void {
  if (!(error instanceof NoCluster)) throw error
  say(error.message)
}
