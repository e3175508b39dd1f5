import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '../../../cli/client/client.ts'
import { clusterSettings } from '../../../e2e/cluster/host/settings.ts'
import { runnerRoot } from '../../../e2e/installation/build-runner.ts'
import { makeFilm } from './attack-submission.ts'
import { attackService } from './attack-service.ts'
import { startAttackOrigin } from './attack-origin.ts'

/**
 * All attacks through the REST API of a service that runs already, quickstart's say:
 * `source .quickstart/env && node testing/attacks/over-rest/main.ts [pattern]`.
 */
const {
  CLOUD_FFMPEG_URL: url = '',
  CLOUD_FFMPEG_API_KEY: apiKey = '',
  CLOUD_FFMPEG_HOST_ADDRESS: address = '',
} = process.env
if (url === '' || address === '') throw new Error("first: 'source .quickstart/env'")

const folder = await mkdtemp(path.join(tmpdir(), 'attacks-'))
const root = await runnerRoot({ settings: clusterSettings(process.env), say: console.log })
const film = await makeFilm(root, folder)
const origin = await startAttackOrigin(address)
let failed = 0
let count = 0
try {
  const client = createClient({ url, apiKey })
  const own = [`${url}/v1/files`, `http://${address}:19000/`]
  const wanted = new RegExp(process.argv[2] ?? '')
  for (const { name, achieved } of await attackService(
    { client, origin, film, url, apiKey, own },
    (each) => wanted.test(each),
  )) {
    count += 1
    const found = await achieved.catch((error: unknown) => [String(error)])
    if (found.length === 0) continue
    failed += 1
    console.log(`${name}\n  ${found.join('\n  ')}\n`)
  }
} finally {
  await origin.close()
  await rm(folder, { recursive: true, force: true })
}
console.log(`${String(failed)} of ${String(count)} attacks achieve something`)
if (failed > 0) process.exitCode = 1
