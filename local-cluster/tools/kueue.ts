import { cp, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'
import { cached } from './cached.ts'
import { buildQuickly, runGo } from './go.ts'

const release = 'sigs.k8s.io/kueue@v0.17.0'

/**
 * Answers a folder with Kueue's controller as `kueue` and the CustomResourceDefinitions of its kinds in `crds`, built from
 * its Go module: it has replacements of none of its modules, so its own go.mod and go.sum are the recipe.
 */
export async function kueueFolder(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const version = release.split('@')[1]
  const key = `kueue-${version}-${process.platform}-${process.arch}`
  const what = `building Kueue ${version} from its Go module`
  return cached({ key, what, usually: '4 to 9 min', ...options }, async (partial, onLine) => {
    await mkdir(partial)
    const download = ['mod', 'download', '-json', release]
    const found = await runGo(download, { cwd: partial, what: 'Kueue', onLine })
    const { Dir: cwd } = JSON.parse(found) as { Dir: string }
    const crds = path.join(partial, 'crds')
    await cp(path.join(cwd, 'config/components/crd/bases'), crds, { recursive: true })
    const output = path.join(partial, 'kueue')
    await buildQuickly({ cwd, what: 'Kueue', onLine, output, target: './cmd/kueue' })
  })
}
