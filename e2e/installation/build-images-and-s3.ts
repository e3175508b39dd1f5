import type { ClusterSettings } from '../cluster/host/settings.ts'
import type { Say } from '../cluster/host/progress.ts'
import { versitygwCommand } from '../cluster/tools/versitygw.ts'
import { buildImages } from './images.ts'
import type { Images } from './images.ts'

/**
 * What is built beside Kubernetes: first the images, then the S3 server in the processor time that
 * Kubernetes' compiler, whose packages wait for each other, leaves.
 */
export function buildImagesAndS3(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): { readonly images: Promise<Images>; readonly s3: Promise<string> } {
  const registry = options.settings.registry ?? 'registry.e2e'
  const images = buildImages({ registry, ...options })
  const s3 = images.then(() => versitygwCommand(options))
  // Without this, a build that fails would end the process before the cluster's own error is shown.
  for (const building of [images, s3]) building.catch(() => undefined)
  return { images, s3 }
}
