import packageFile from '../package.json' with { type: 'json' }
import type { BuiltImage } from '../e2e/cluster/images/build-image.ts'
import { createBuildah } from '../e2e/cluster/images/buildah.ts'
import { dockerAnswers } from '../e2e/cluster/host/choose-provider.ts'
import { CommandFailed, runCommand } from '../e2e/cluster/host/run-command.ts'
import { clusterSettings } from '../e2e/cluster/host/settings.ts'
import { buildImages } from '../e2e/installation/images.ts'
import { imageOptions } from './image-options.ts'
import type { ImageOptions } from './image-options.ts'

/**
 * Builds REGISTRY/cloud-ffmpeg/NAME:TAG for the three images, for the chart's `image.registry` and
 * `image.tag`. With `--hardened` the runner's FFmpeg is one built for it; `--push` pushes them with
 * the login of `docker login` or `buildah login`. No test does: pushing by buildah to a registry
 * with TLS was tried by hand, by docker it was not.
 */
const usage = 'npm run images -- --registry REGISTRY [--tag TAG] [--push] [--hardened]'
const { registry, tag, push, ffmpeg } = optionsOrExit()
const [host = registry] = registry.split('/')
const settings = clusterSettings(process.env)
const say = (text: string): void => console.error(`[images] ${text}`)

const images = await buildImages({ registry, tag, ffmpeg, settings, say })
for (const image of [images.apiServer, images.operator, images.runner]) {
  if (push && !(await pushed(image))) process.exit(1)
  console.log(`${image.name} ${push ? 'pushed' : image.archive}`)
}

async function pushed(image: BuiltImage): Promise<boolean> {
  try {
    await pushImage(image)
    return true
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const login = (await dockerAnswers()) ? 'docker login' : 'buildah login'
    console.error(
      `${error.message}\nThe image is built. If the registry needs a login: ${login} ${host}`,
    )
    return false
  }
}

/** Pushes the archive: the builder's storage may no longer have a cached build. */
async function pushImage({ name, archive }: BuiltImage): Promise<void> {
  say(`pushing ${name}`)
  if (await dockerAnswers()) {
    await runCommand('docker', ['load', '--input', archive])
    await runCommand('docker', ['push', name])
    return
  }
  const buildah = await createBuildah(settings, say)
  await buildah(['pull', '--quiet', `docker-archive:${archive}`])
  await buildah(['push', '--quiet', name, `docker://${name}`])
}

function optionsOrExit(): ImageOptions {
  try {
    return imageOptions(process.argv.slice(2), packageFile.version)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(2)
  }
}
