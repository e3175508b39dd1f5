import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { installMissing, testNeeds } from '../e2e/cluster/tools/debian-packages.ts'
import { NoCluster } from '../e2e/cluster/host/types.ts'
import { mocha } from './tests/mocha.ts'
import { prepareInBackground } from './tests/prepare-in-background.ts'
import { runStories } from './tests/stories.ts'
import type { Counts } from './tests/mocha.ts'

/**
 * Runs the tests: each mechanism once, or every case with `--full`. `*.test.ts` need Node.js and PostgreSQL; `*.machine.test.ts` run programs that have to be built first
 * (the runner image, the S3 server, Helm, the fuzzer) or take long; `*.story.ts` run on a real cluster, beside the tests.
 * The builds go on beside the tests that do not need them.
 *
 * `--only quick|machine|stories` runs one part; `--cluster local|kind|kubeconfig` chooses the cluster. Milliseconds per
 * file go to `.test-artifacts/durations.json`.
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, cluster: { type: 'string' }, full: { type: 'boolean' } },
})
if (values.full === true) process.env['TEST_SCALE'] = 'full'
if (values.cluster !== undefined) process.env['E2E_CLUSTER'] = values.cluster
const wanted = (part: string): boolean => values.only === undefined || values.only === part

const folders = '{common,api-server,cli,console,operator,runner-image,testing,e2e,scripts}'
const tests = globSync(`${folders}/**/*.test.ts`).toSorted()
const machineTests = tests.filter((file) => file.endsWith('.machine.test.ts'))
const quickTests = tests.filter((file) => !machineTests.includes(file))
const stories = globSync('e2e/stories/**/*.story.ts').toSorted()

await installMissing(testNeeds, (text) => console.log(text)).catch((error: unknown) => {
  // The tests that need what is missing fail and name it.
  if (!(error instanceof NoCluster)) throw error
  console.error(error.message)
})
const preparing = wanted('machine') || wanted('stories') ? prepareInBackground() : undefined
// Two lanes: tests use the processors, stories mostly wait for pods.
const isOnly = values.only !== undefined
const lanes = await Promise.all([
  runTests(isOnly ? undefined : 'tests'),
  wanted('stories')
    ? preparing?.then(() => runStories(stories, isOnly ? undefined : 'stories'))
    : [],
])
const parts = lanes.flatMap((lane) => lane ?? [])

await writeDurations()
const passed = parts.reduce((sum, { passes }) => sum + passes, 0)
const failed = parts.reduce((sum, { failures }) => sum + failures, 0)
// Again at the end: the place where a failure was printed is thousands of lines above.
for (const failure of parts.flatMap((part) => part.failed)) console.log(`\nFAILED: ${failure}`)
console.log(`\n${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1

async function runTests(label: string | undefined): Promise<Counts[]> {
  const counts: Counts[] = []
  if (wanted('quick')) counts.push(await mocha(quickTests, { label, jobs: availableParallelism() }))
  await preparing
  if (wanted('machine')) counts.push(await mocha(machineTests, { label }))
  return counts
}

async function writeDurations(): Promise<void> {
  const durations = parts.flatMap((part) => Object.entries(part.durations))
  const slowestFirst = durations.toSorted(([, one], [, other]) => other - one)
  await mkdir('.test-artifacts', { recursive: true })
  const text = JSON.stringify(Object.fromEntries(slowestFirst), null, 2)
  await writeFile('.test-artifacts/durations.json', `${text}\n`)
}
