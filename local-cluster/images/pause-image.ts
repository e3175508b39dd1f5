import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import { cached } from '../tools/cached.ts'
import { buildQuickly } from '../tools/go.ts'
import { ensureGo } from '../tools/go-program.ts'
import type { Say } from '../host/progress.ts'
import { buildImage } from './build-image.ts'

export const pauseImageName = 'registry.e2e/pause:1'

interface Options {
  readonly settings: ClusterSettings
  readonly say: Say
}

const sources = path.join(import.meta.dirname, '../tools/pause')

/** Folder of the program that holds a pod's namespaces open, as `pause`. */
export async function pauseProgram({ settings, say }: Options): Promise<string> {
  const key = `pause-1-${process.arch}`
  return cached(
    { key, what: 'building the pause program', usually: '5 to 25 s', settings, say },
    async (partial, onLine) => {
      await ensureGo(say)
      await mkdir(partial, { recursive: true })
      await copyFile(path.join(sources, 'main.go'), path.join(partial, 'main.go'))
      await buildQuickly({
        cwd: partial,
        what: 'the pause program',
        target: 'main.go',
        output: 'pause',
        onLine,
        env: { GOOS: 'linux' },
      })
    },
  )
}

/** Archive of that program's image; Kubernetes' own lies in a registry only. */
export async function pauseImage({ settings, say }: Options): Promise<string> {
  const folder = await pauseProgram({ settings, say })
  const { archive } = await buildImage({
    name: pauseImageName,
    dockerfile: path.join(sources, 'Dockerfile'),
    context: sources,
    inputs: [],
    extra: { pause: path.join(folder, 'pause') },
    settings,
    say,
  })
  return archive
}
