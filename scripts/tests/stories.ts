import { NoCluster } from '../../e2e/cluster/host/types.ts'
import { startInstallation, stopInstallation } from '../../e2e/steps/story-installation.ts'
import { mocha, noCounts } from './mocha.ts'
import { hasRun, storyTitles } from './story-titles.ts'
import type { Counts } from './mocha.ts'

/**
 * Runs the stories in one installation: first those that share it, two files at a time, then one by one those in
 * `alone/`, which stop servers, fill the processors or use up a quota. Where this machine lacks what a cluster needs, none
 * runs; with `CI` set each story that did not run is a failure.
 *
 * @param label before each line of output
 */
export async function runStories(files: readonly string[], label?: string): Promise<Counts[]> {
  const alone = files.filter((file) => file.includes('/alone/'))
  const sharing = files.filter((file) => !alone.includes(file))
  const parts: Counts[] = []
  try {
    const environment = { E2E_INSTALLATION: await startInstallation() }
    parts.push(await mocha(sharing, { label, environment, jobs: 2 }))
    parts.push(await mocha(alone, { label, environment }))
  } catch (error) {
    parts.push(notStarted(error))
  } finally {
    // Without a cluster there is nothing to stop.
    await stopInstallation().catch((error: unknown) => {
      if (!(error instanceof NoCluster)) throw error
    })
  }
  const expected = await storyTitles(files)
  const titles = parts.flatMap((part) => part.titles)
  const missing = expected.filter((title) => !hasRun(title, titles))
  console.log(`${expected.length - missing.length} of ${expected.length} stories ran`)
  for (const title of missing) console.log(`  not run: ${title}`)
  const unproven = process.env['CI'] === undefined ? 0 : missing.length
  return [...parts, { ...noCounts, failures: unproven }]
}

function notStarted(error: unknown): Counts {
  if (error instanceof NoCluster) {
    console.log(error.message)
    return noCounts
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { ...noCounts, failures: 1, failed: [`the installation of the stories\n${text}`] }
}
