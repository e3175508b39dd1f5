import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '../../../cli/client/client.ts'
import { clusterSettings } from '../../../e2e/cluster/host/settings.ts'
import { runnerRoot } from '../../../e2e/installation/build-runner.ts'
import { startOrigin } from '../../../e2e/steps/origin.ts'
import { readCorpus } from '../read-corpus.ts'
import { judgeAll } from './judge-all.ts'
import { prepareSamples } from './prepare-samples.ts'
import { isSubmittable } from './submission-of.ts'

/**
 * All commands of the corpus through the REST API of a service that runs already, quickstart's say:
 * `source .quickstart/env && node testing/corpus/over-rest/main.ts [pattern]`.
 */
const {
  CLOUD_FFMPEG_URL: url = '',
  CLOUD_FFMPEG_API_KEY: apiKey = '',
  CLOUD_FFMPEG_HOST_ADDRESS: address = '',
} = process.env
if (url === '' || address === '') throw new Error("first: 'source .quickstart/env'")

const wanted = new RegExp(process.argv[2] ?? '')
const corpus = await readCorpus(path.join(import.meta.dirname, '../commands'))
const chosen = corpus
  .filter(isSubmittable)
  .filter(({ theme, title }) => wanted.test(`${theme}: ${title}`))
const folder = await mkdtemp(path.join(tmpdir(), 'over-rest-'))
const root = await runnerRoot({ settings: clusterSettings(process.env), say: console.log })
const samples = await prepareSamples(root, path.join(folder, 'samples'))
const origin = await startOrigin({ address, folder: samples })
const begun = performance.now()
let different = 0
try {
  const service = { client: createClient({ url, apiKey }), origin, root, samples }
  for (const { command, differences } of judgeAll(chosen, service, folder)) {
    const found = await differences.catch((error: unknown) => [String(error)])
    if (found.length === 0) continue
    different += 1
    console.log(`${command.theme}: ${command.title}\n  ${found.join('\n  ')}\n`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
const took = ((performance.now() - begun) / 1000).toFixed(0)
console.log(`${String(different)} of ${String(chosen.length)} commands differ, ${took} s`)
if (different > 0) process.exitCode = 1
