import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../settings.ts'
import { cached } from '../tools/cached.ts'
import { buildQuickly } from '../tools/go.ts'
import type { Say } from '../tools/progress.ts'
import { buildImage } from './build-image.ts'

export const pauseImageName = 'registry.e2e/pause:1'

/** Archive of the image whose one process holds a pod's namespaces open; Kubernetes' own lies in a registry only. */
export async function pauseImage({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const sources = path.join(import.meta.dirname, '../tools/pause')
  const key = `pause-1-${process.arch}`
  const folder = await cached(
    { key, what: 'building the pause program', usually: '5 to 25 s', settings, say },
    async (partial, onLine) => {
      await mkdir(partial, { recursive: true })
      await copyFile(path.join(sources, 'main.go'), path.join(partial, 'main.go'))
      await buildQuickly({
        ...{ cwd: partial, what: 'the pause program', target: 'main.go', output: 'pause', onLine },
        env: { GOOS: 'linux' },
      })
    },
  )
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
