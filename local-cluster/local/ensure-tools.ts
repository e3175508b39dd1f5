import { chosenProvider } from '../host/choose-provider.ts'
import { pauseImage, pauseProgram } from '../images/pause-image.ts'
import { clusterNeeds, installMissing } from '../tools/debian-packages.ts'
import { helmCommand } from '../tools/helm.ts'
import { kubernetesFolder } from '../tools/kubernetes.ts'
import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'

/**
 * Installs and builds everything that a cluster needs, without starting any of it.
 *
 * @throws NoCluster naming what cannot be had here, and how to get it.
 */
export async function ensureTools(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<void> {
  if ((await chosenProvider(options.settings)) !== 'local') {
    await helmCommand(options)
    return
  }
  await localTools(options)
}

/** Tools of the local provider: a folder of Kubernetes commands and the archive of the pause image. */
export async function localTools(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<{ readonly kubernetes: string; readonly pauseArchive: string }> {
  // Compilers need nothing of Debian's.
  const [kubernetes] = await Promise.all([
    compiled(options),
    installMissing(clusterNeeds, options.say),
  ])
  return { kubernetes, pauseArchive: await pauseImage(options) }
}

async function compiled(options: Parameters<typeof kubernetesFolder>[0]): Promise<string> {
  // One after the other: the small one compiles some of what the large one needs, side by side both would.
  await pauseProgram(options)
  return kubernetesFolder(options)
}
