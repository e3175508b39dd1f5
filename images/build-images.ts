import path from 'node:path'
import { buildImage } from '../local-cluster/images/build-image.ts'
import type { BuiltImage } from '../local-cluster/images/build-image.ts'
import { nodeBinary } from '../local-cluster/images/node-binary.ts'
import { rootImage } from '../local-cluster/images/root-image.ts'
import type { RootImage } from '../local-cluster/images/build-image.ts'
import type { ClusterSettings } from '../local-cluster/host/settings.ts'
import type { Say } from '../local-cluster/host/progress.ts'
import { versitygwCommand } from '../local-cluster/tools/versitygw.ts'
import { buildRunnerImage, withFolder } from './build-runner.ts'
import { bundleServer } from './bundle-server.ts'
import type { Server } from './bundle-server.ts'
import type { FFmpegBuild } from './build-runner.ts'

export interface Images {
  readonly apiServer: BuiltImage
  readonly operator: BuiltImage
  readonly runner: BuiltImage
}

interface Build extends FFmpegBuild {
  /** Prefix of the images' names, e.g. `registry.example.com/media`. */
  readonly registry: string
  /** Defaults to a hash of all that goes in, so that a changed image is a changed pod. */
  readonly tag?: string
  readonly settings: ClusterSettings
  readonly say: Say
}

const root = path.resolve(import.meta.dirname, '..')

/** The three images from the sources; what has not changed since it was built is only looked up. */
export async function buildImages(build: Build): Promise<Images> {
  // One after the other: two builds in one storage wait for each other's locks and gain nothing.
  const runner = await buildRunnerImage({ ...build, name: nameOf(build, 'runner') })
  const apiServer = await buildServerImage(build, 'api-server')
  const operator = await buildServerImage(build, 'operator')
  return { apiServer, operator, runner }
}

async function buildServerImage(build: Build, component: Server): Promise<BuiltImage> {
  const serverRoot = await serverRootImage(build)
  return withFolder(async (app) => {
    await bundleServer(component, app)
    return buildImage({
      ...build,
      name: nameOf(build, component),
      dockerfile: path.join(root, 'api-server/Dockerfile'),
      root: serverRoot,
      context: root,
      inputs: ['api-server/write-compile-cache.ts'],
      extra: { app },
      args: { COMPONENT: component },
    })
  })
}

/** Both servers have it below them, so a node stores it once. */
async function serverRootImage({ settings, say }: Build): Promise<RootImage> {
  return rootImage({
    name: 'registry.e2e/cloud-ffmpeg/server-root',
    dockerfile: path.join(root, 'api-server/root.Dockerfile'),
    context: root,
    inputs: [],
    extra: { node: await nodeBinary({ settings, say }) },
    settings,
    say,
  })
}

function nameOf({ registry, tag }: Build, component: string): string {
  const name = `${registry}/cloud-ffmpeg/${component}`
  return tag === undefined ? name : `${name}:${tag}`
}

/**
 * Builds beside Kubernetes: first the images, then the S3 server, in the processor time that the
 * compiler of Kubernetes leaves, since its packages wait for each other.
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
