import { mkdir, mkdtemp, stat } from 'node:fs/promises'
import path from 'node:path'
import { directly } from '../../../common/runtime/failpoint.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { fetchInputs } from '../../../runner-image/transfer/download/fetch-inputs.ts'
import { createGateway } from '../../../runner-image/transfer/gateway/gateway.ts'
import { gatewayRequests } from '../../../runner-image/transfer/gateway/request.ts'
import { createUploader } from '../../../runner-image/transfer/upload/upload-files.ts'
import { printCost } from './print-cost.ts'

/** `engine down URL FOLDER`, `engine up GATEWAY FILE`: what the runner does, in a process of its own. */
const [direction, url = '', target = ''] = process.argv.slice(2)
const effects = systemEffects(directly)
const { signal } = new AbortController()

await printCost(direction === 'down' ? down : up)

async function down(): Promise<void> {
  const job = await mkdtemp(path.join(target, 'job-'))
  for (const name of ['work', 'in']) await mkdir(path.join(job, name))
  const work = path.join(job, 'work')
  const limits = { fileBytes: null, scratchBytes: 2 ** 50, fileCount: 10, maxPixels: 1 }
  const network = { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] }
  const assignment = { network, limits: { ...limits, transferSeconds: 3_600 } }
  const sources = [{ alias: 'in_1', url, stored: null }]
  const events = { resolve: async () => [], onFetched: () => undefined }
  await fetchInputs({ sources, assignment, work, effects, ...events }, signal)
}

async function up(): Promise<void> {
  const ask = gatewayRequests({ url, readToken: async () => 'token', ca: null }, effects)
  const gateway = createGateway(ask, 10_000)
  const upload = createUploader({ gateway, effects, objects: new Map() })
  const { size } = await stat(target)
  const source = path.resolve(target)
  await upload([{ path: 'out.bin', source, sizeBytes: size, alias: 'out_1' }], signal)
}
