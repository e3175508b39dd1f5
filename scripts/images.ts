import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import packageFile from '../package.json' with { type: 'json' }
import type { BuiltImage } from '../local-cluster/images/build-image.ts'
import { writeOciLayout } from '../local-cluster/images/oci-layout.ts'
import { dockerAnswers } from '../local-cluster/host/choose-provider.ts'
import { CommandFailed, runCommand } from '../local-cluster/host/run-command.ts'
import { clusterSettings } from '../local-cluster/host/settings.ts'
import { installMissing, pushNeeds } from '../local-cluster/tools/debian-packages.ts'
import { buildImages } from '../images/build-images.ts'
import { imageOptions } from './image-options.ts'
import type { ImageOptions } from './image-options.ts'

/**
 * Builds REGISTRY/cloud-ffmpeg/NAME:TAG for the three images, for the chart's `image.registry` and
 * `image.tag`. With `--hardened` the runner's FFmpeg is one built for it; `--push` pushes them with
 * the login of `docker login` or `skopeo login`; `--layouts` writes them as OCI layouts below FOLDER,
 * as they are pushed; `--extra-fonts` adds packages of fonts. No test pushes to a registry.
 */
const usage =
  'npm run images -- --registry REGISTRY [--tag TAG] [--push] [--layouts FOLDER] [--hardened] [--extra-fonts "PACKAGE …"]'
const { registry, tag, push, layouts, ffmpeg, extraFonts } = optionsOrExit()
const [host = registry] = registry.split('/')
const settings = clusterSettings(process.env)
const say = (text: string): void => console.error(`[images] ${text}`)

const images = await buildImages({ registry, tag, ffmpeg, extraFonts, settings, say })
for (const image of [images.apiServer, images.operator, images.runner]) {
  if (layouts !== null) await writeLayout(image, path.resolve(layouts, componentOf(image)))
  if (push && !(await pushed(image))) process.exit(1)
  console.log(`${image.name} ${push ? 'pushed' : image.archive}`)
}

async function pushed(image: BuiltImage): Promise<boolean> {
  try {
    await pushImage(image)
    return true
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const login = (await dockerAnswers()) ? 'docker login' : 'skopeo login'
    console.error(
      `${error.message}\nThe image is built. If the registry needs a login: ${login} ${host}`,
    )
    return false
  }
}

/** Pushes the archive: the builder's storage may no longer have a cached build. */
async function pushImage(image: BuiltImage): Promise<void> {
  const { name, archive } = image
  if (await dockerAnswers()) {
    say(`pushing ${name}`)
    await runCommand('docker', ['load', '--input', archive])
    await runCommand('docker', ['push', name])
    return
  }
  await installMissing(pushNeeds, say)
  const folder = await mkdtemp(path.join(settings.cacheFolder, 'push-'))
  try {
    await writeLayout(image, folder)
    say(`pushing ${name}`)
    await runCommand('skopeo', ['copy', '--quiet', `oci:${folder}:${tag}`, `docker://${name}`])
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function writeLayout({ name, archive }: BuiltImage, folder: string): Promise<void> {
  say(`compressing ${name} (the runner usually takes 2 to 5 min)`)
  const { bytes } = await writeOciLayout({ archive, folder, tag })
  say(`${name} has ${(bytes / 1e6).toFixed(1)} MB as pushed`)
}

function componentOf({ name }: BuiltImage): string {
  return path.basename(name).replace(/:.*$/, '')
}

function optionsOrExit(): ImageOptions {
  try {
    return imageOptions(process.argv.slice(2), packageFile.version)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(2)
  }
}
