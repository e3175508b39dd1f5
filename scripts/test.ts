import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { installMissing, testNeeds } from '../local-cluster/tools/debian-packages.ts'
import { NoCluster } from '../local-cluster/host/types.ts'
import { startInstallation, stopInstallation } from '../e2e/steps/story-installation.ts'
import { deadlineFrom, unlessAborted } from './tests/deadline.ts'
import {
  isInGate,
  needsCluster,
  needsPrograms,
  parsePart,
  partNames,
  partOf,
} from './tests/parts.ts'
import { prepareInBackground } from './tests/prepare-in-background.ts'
import { cutOff, summaryOf } from './tests/summary.ts'
import { createTestRun } from './tests/test-run.ts'
import { toRunAgain, verdictOf } from './tests/verdict.ts'
import type { Part } from './tests/parts.ts'
import type { How } from './tests/test-run.ts'

/**
 * Runs the tests: `npm test` each mechanism once (quick tests, and files with `.gate.` in their name), `--full` every case.
 *
 * `--part NAME` (repeatable) runs one part; `--resume` leaves out the files that ended in the run before, which was cut off;
 * `--cluster local|kind|kubeconfig` chooses the cluster. `TEST_DEADLINE_SECONDS` ends the run with what it knows. Results go to
 * `.test-artifacts`: `summary.txt`, `unstable.json`, `durations.json`.
 */
const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true },
    resume: { type: 'boolean', default: false },
    cluster: { type: 'string' },
  },
})
if (values.full) process.env['TEST_SCALE'] = 'full'
if (values.cluster !== undefined) process.env['E2E_CLUSTER'] = values.cluster
const wanted: readonly Part[] = values.part?.map(parsePart) ?? partNames
const { seconds, signal } = deadlineFrom(process.env['TEST_DEADLINE_SECONDS'])
const artifacts = '.test-artifacts'

const folders = '{common,api-server,cli,console,operator,runner-image,testing,e2e,scripts}'
const all = globSync(`${folders}/**/*.{test,story}.ts`).toSorted()
const files = all.filter((file) => wanted.includes(partOf(file)) && (values.full || isInGate(file)))
const run = await createTestRun({
  folder: `${artifacts}/${values.full ? 'full' : 'gate'}-events`,
  signal,
  resume: values.resume,
})
/** Minutes of each step, by the wall clock; the two lanes overlap. */
const steps: string[] = []
/** Reasons for which files have no result, beside their own failures. */
const problems: string[] = []
/** Environment of the stories, complete as soon as their cluster runs. */
let environment: Readonly<Record<string, string>> = {}
let required = files

const ofParts = (is: (part: Part) => boolean) => files.filter((file) => is(partOf(file)))
const isMachinePart = (part: Part) => needsPrograms(part) && !needsCluster(part)
const clusterFiles = ofParts(needsCluster)
const programFiles = ofParts(isMachinePart)

await unlessAborted(signal, runAll())
// Nothing else runs now: a test that fails again fails for a reason of its own.
const first = run.results().filter(({ file }) => file === '' || files.includes(file))
const failed = toRunAgain(first)
const again = (await unlessAborted(signal, runAgain())) ?? []
const verdict = verdictOf(required, first, again)
if (signal.aborted) console.log(cutOff(first, seconds))
for (const problem of problems) console.log(`\n${problem}`)
const summary = summaryOf(verdict)
console.log(`\nMinutes: ${steps.join(', ')}`)
console.log(summary)
await writeArtifacts()
if (clusterFiles.length > 0) await unlessAborted(AbortSignal.timeout(120_000), stopInstallation())
// Work that the deadline interrupted may still wait for something.
process.exit(verdict.failed > 0 || signal.aborted ? 1 : 0)

async function runAll(): Promise<void> {
  await installMissing(testNeeds, (text) => console.log(text)).catch((error: unknown) => {
    // The tests that need what is missing fail and name it.
    if (!(error instanceof NoCluster)) throw error
    console.error(error.message)
  })
  const needsBuilds = clusterFiles.length + programFiles.length > 0
  // Compilers of Kubernetes take twice as long beside anything else.
  if (needsBuilds) await timed('Kubernetes', () => prepareInBackground('cluster', signal))
  const prepared = needsBuilds
    ? timed('images and S3 server', () => prepareInBackground('images', signal))
    : Promise.resolve()
  const isBesideStories = clusterFiles.length > 0 && files.length > clusterFiles.length
  // Two lanes: tests use the processors, stories mostly wait for pods.
  await Promise.all([
    runTests(prepared, isBesideStories ? 'tests' : undefined),
    prepared.then(() => runStories(isBesideStories ? 'stories' : undefined)),
  ])
}

async function runTests(prepared: Promise<void>, label: string | undefined): Promise<void> {
  const jobs = availableParallelism()
  const quickFiles = ofParts((part) => part === 'quick')
  await timed('quick tests', () => run.run(quickFiles, { label, jobs }))
  await prepared
  // Each takes seconds at this scale. At full scale some take all processors by themselves.
  if (!values.full) await timed('machine tests', () => run.run(programFiles, { label, jobs }))
  else for (const part of partNames.filter(isMachinePart)) await runPart(part, { label })
}

async function runPart(part: Part, how: How): Promise<void> {
  const own = files.filter((file) => partOf(file) === part)
  if (own.length > 0) await timed(part, () => run.run(own, how))
}

async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const begunMs = performance.now()
  const result = await work()
  steps.push(`${step} ${((performance.now() - begunMs) / 60_000).toFixed(1)}`)
  return result
}

/** Runs one installation: first the stories that share it, two files at a time, then one by one those that stop or fill something. */
async function runStories(label: string | undefined): Promise<void> {
  if (clusterFiles.length === 0) return
  try {
    const installation = await timed('cluster and chart', startInstallation)
    environment = { E2E_INSTALLATION: installation }
    await runPart('stories', { label, environment, jobs: 2 })
    await runPart('alone', { label, environment })
  } catch (error) {
    const isMissing = error instanceof NoCluster && process.env['CI'] === undefined
    if (isMissing) required = files.filter((file) => !clusterFiles.includes(file))
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    problems.push(`${clusterFiles.length} files of stories have not run: ${text}`)
  }
}

async function runAgain() {
  if (failed.length > 0) console.log(`\nOnce more, alone: ${failed.join(', ')}`)
  const onCluster = failed.filter((file) => clusterFiles.includes(file))
  return [
    ...(await run.runAgain(failed.filter((file) => !onCluster.includes(file)))),
    ...(await run.runAgain(onCluster, { environment })),
  ]
}

async function writeArtifacts(): Promise<void> {
  const durations = first.map(({ file, ms }) => [file, Math.round(ms)] as const)
  const slowestFirst = durations.toSorted(([, one], [, other]) => other - one)
  const texts = {
    'summary.txt': [...problems, summary].join('\n'),
    'unstable.json': JSON.stringify(verdict.unstable, null, 2),
    'durations.json': JSON.stringify(Object.fromEntries(slowestFirst), null, 2),
  }
  await mkdir(artifacts, { recursive: true })
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(`${artifacts}/${name}`, `${text}\n`)
  }
}
