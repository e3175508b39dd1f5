import { clusterSettings } from '../../local-cluster/host/settings.ts'
import {
  browserNeeds,
  installMissing,
  shellNeeds,
} from '../../local-cluster/tools/debian-packages.ts'
import { ensureTools } from '../../local-cluster/local/ensure-tools.ts'
import { prometheusFolder } from '../../local-cluster/tools/prometheus.ts'
import { buildImagesAndS3 } from '../../images/build-images.ts'

/**
 * `prepare.ts cluster|images` builds ahead of time, into the cache, what tests need: first Kubernetes with what Debian has, then the
 * images and the S3 server.
 */
const settings = clusterSettings(process.env)
const say = (text: string): void => console.log(`[prepare] ${text}`)
const options = { settings, say }
switch (process.argv[2]) {
  case 'cluster':
    await Promise.all([
      ensureTools(options),
      ...[shellNeeds, browserNeeds].map((needs) => installMissing(needs, say).catch(sayMissing)),
      prometheusFolder(options).catch(sayMissing),
    ])
    break
  case 'images':
    await buildImagesAndS3(options).s3
    break
  default:
    throw new Error('prepare.ts cluster|images')
}

/** The builds go on; a test that needs what is missing fails with the same message. */
function sayMissing(error: unknown): void {
  say(error instanceof Error ? error.message : String(error))
}
