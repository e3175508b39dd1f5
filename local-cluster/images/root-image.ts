import path from 'node:path'
import { withLock } from '../tools/lock.ts'
import { withProgress } from '../host/progress.ts'
import { buildFromContext, nameByContent } from './build-image.ts'
import type { ImageBuild, RootImage } from './build-image.ts'
import { imageBuilder } from './image-builder.ts'

export async function rootImage(given: ImageBuild, usually = '10 s to 3 min'): Promise<RootImage> {
  const build = await nameByContent(given)
  const { name, settings, say } = build
  return {
    name,
    ensure: async () => {
      const builder = await imageBuilder(settings, say)
      const what = `building image ${name}`
      const lock = path.join(settings.cacheFolder, `${path.basename(name).replace(':', '-')}.lock`)
      const onWait = () => say(`${what}: another process is at it, waiting`)
      await withLock(lock, onWait, async () => {
        if (await builder.has(name)) return
        await build.root?.ensure()
        await withProgress(say, { what, usually }, (onLine) =>
          buildFromContext(builder, build, onLine),
        )
      })
    },
  }
}
