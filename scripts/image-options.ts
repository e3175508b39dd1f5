import { parseArgs } from 'node:util'

export interface ImageOptions {
  /** Prefix of the images' names: a registry's host, with or without a path below it. */
  readonly registry: string
  readonly tag: string
  readonly push: boolean
  /** Folder for the images as they are pushed; null writes none. */
  readonly layouts: string | null
  /** FFmpeg of the runner: Debian's package, or the same source without network, plug-ins and devices. */
  readonly ffmpeg: 'debian' | 'hardened'
  /** Debian's packages of fonts that the runner has beside its own. */
  readonly extraFonts: readonly string[]
}

/** @throws Error with the wrong option and its valid form */
export function imageOptions(args: readonly string[], defaultTag: string): ImageOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      registry: { type: 'string' },
      tag: { type: 'string', default: defaultTag },
      push: { type: 'boolean', default: false },
      layouts: { type: 'string' },
      hardened: { type: 'boolean', default: false },
      'extra-fonts': { type: 'string', default: '' },
    },
  })
  const { registry, tag, push, hardened, layouts = null } = values
  if (registry === undefined) {
    throw new Error(
      '--registry is missing: where the images will be, e.g. --registry registry.example.com/media',
    )
  }
  if (!registryPattern.test(registry)) {
    throw new Error(
      `--registry ${registry}: a host with a dot or a port and a path of lower case, without https:// and without "/" at the end, e.g. registry.example.com/media or localhost:5000`,
    )
  }
  if (!tagPattern.test(tag)) {
    throw new Error(`--tag ${tag}: at most 128 letters, digits, "_", "." and "-", e.g. 1.2.3`)
  }
  const extraFonts = values['extra-fonts'].split(/[\s,]+/).filter((name) => name !== '')
  const wrong = extraFonts.find((name) => !packagePattern.test(name))
  if (wrong !== undefined) {
    throw new Error(
      `--extra-fonts ${wrong}: names of Debian's packages of fonts, e.g. "fonts-noto-cjk fonts-nanum"`,
    )
  }
  return { registry, tag, push, layouts, ffmpeg: hardened ? 'hardened' : 'debian', extraFonts }
}

/** Requires a host: the container runtime chooses the registry of a name without one. */
const registryPattern =
  /^(?:localhost(?::\d+)?|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|[a-z0-9-]+:\d+)(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/
const packagePattern = /^(?:fonts|ttf|otf)-[a-z0-9][a-z0-9.+-]*$/
const tagPattern = /^\w[\w.-]{0,127}$/
