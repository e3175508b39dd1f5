import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installMissing, testNeeds } from '../e2e/cluster/tools/debian-packages.ts'
import { NoCluster } from '../e2e/cluster/host/types.ts'
import { mocha } from './tests/mocha.ts'
import { prepareInBackground } from './tests/prepare-in-background.ts'
import { hasRun, storyTitles } from './tests/story-titles.ts'

/**
 * Runs all tests: unit and property tests, the simulator, tests on real Postgres, S3 and FFmpeg, and
 * the stories on a real cluster. The builds for later parts run during the first parts.
 * `--only quick|machine|stories` runs one part; `--cluster local|kind|kubeconfig` chooses the cluster.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, cluster: { type: 'string' } } })
if (values.cluster !== undefined) process.env['E2E_CLUSTER'] = values.cluster
const wanted = (part: string): boolean => values.only === undefined || values.only === part

const stories = globSync('e2e/stories/**/*.story.ts').toSorted()
const files = globSync(
  '{common,api-server,cli,operator,runner-image,testing,e2e,scripts}/**/*.test.ts',
).toSorted()
/** Tests of programs that must be built or installed first: the runner image, the S3 server, the fuzzer. */
const needsMachine = (file: string): boolean =>
  /^(runner-image|common\/storage|operator\/gateway|api-server\/(accounts\/admin\/storage-cors|contract|files)|cli\/(client\/transfer|run\.)|e2e\/installation|testing\/(attacks|corpus|ffmpeg|fuzz|manual))/.test(
    file,
  )

await installMissing(testNeeds, (text) => console.log(text)).catch((error: unknown) => {
  // Tests without their prerequisite fail and name it.
  if (!(error instanceof NoCluster)) throw error
  console.error(error.message)
})
const preparing = wanted('machine') || wanted('stories') ? prepareInBackground() : undefined
const parts = []
if (wanted('quick')) parts.push(await mocha(files.filter((file) => !needsMachine(file))))
await preparing
if (wanted('machine')) parts.push(await mocha(files.filter(needsMachine)))
if (wanted('stories')) {
  const counts = await mocha(stories)
  const expected = await storyTitles(stories)
  const missing = expected.filter((title) => !hasRun(title, counts.titles))
  console.log(`${expected.length - missing.length} of ${expected.length} stories ran`)
  for (const title of missing) console.log(`  not run: ${title}`)
  // Without a cluster the stories cannot run: always reported, and a failure in CI.
  const unproven = process.env['CI'] === undefined ? 0 : missing.length
  parts.push({ ...counts, failures: counts.failures + unproven })
}

const passed = parts.reduce((sum, { passes }) => sum + passes, 0)
const failed = parts.reduce((sum, { failures }) => sum + failures, 0)
// Repeated at the end, since a failure was printed thousands of lines above.
for (const failure of parts.flatMap((part) => part.failed)) console.log(`\nFAILED: ${failure}`)
console.log(`\n${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
