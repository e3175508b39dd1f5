import path from 'node:path'
import { createClient } from '../cli/client/client.ts'
import { attackService } from './attacks/over-rest/attack-service.ts'
import { judgeOverRest } from './corpus/over-rest/judge-over-rest.ts'
import { isSubmittable } from './corpus/over-rest/submission-of.ts'
import { readCorpus } from './corpus/read-corpus.ts'

/**
 * The corpus or all attacks by the REST API of a service that runs already, such as that of quickstart:
 * `source .quickstart/env && node testing/over-rest.ts corpus|attacks [pattern]`.
 */
const {
  CLOUD_FFMPEG_URL: url = '',
  CLOUD_FFMPEG_API_KEY: apiKey = '',
  CLOUD_FFMPEG_HOST_ADDRESS: address = '',
} = process.env
if (url === '' || address === '') throw new Error("first: 'source .quickstart/env'")

const [list, pattern = ''] = process.argv.slice(2)
const wanted = (name: string): boolean => new RegExp(pattern).test(name)
const reached = { client: createClient({ url, apiKey }), address, say: console.log }
const begun = performance.now()
const { verdicts, close } =
  list === 'attacks'
    ? await attackService(
        { ...reached, url, apiKey, own: [`${url}/v1/files`, `http://${address}:19000/`] },
        wanted,
      )
    : await judgeOverRest(
        (await readCorpus(path.join(import.meta.dirname, 'corpus/commands')))
          .filter(isSubmittable)
          .filter(({ name }) => wanted(name)),
        reached,
      )
let failed = 0
for (const { name, found } of verdicts) {
  const words = await found.catch((error: unknown) => [String(error)])
  if (words.length === 0) continue
  failed += 1
  console.log(`${name}\n  ${words.join('\n  ')}\n`)
}
await close()
const took = ((performance.now() - begun) / 1000).toFixed(0)
console.log(`${String(failed)} of ${String(verdicts.length)} fail, ${took} s`)
if (failed > 0) process.exitCode = 1
