import { stat } from 'node:fs/promises'
import path from 'node:path'
import { directly } from '../../../common/runtime/failpoint.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { fetchInputs } from '../../../runner-image/transfer/download/fetch-inputs.ts'
import { createGateway } from '../../../runner-image/transfer/gateway/gateway.ts'
import { gatewayRequests } from '../../../runner-image/transfer/gateway/request.ts'
import { createUploader } from '../../../runner-image/transfer/upload/upload-files.ts'
import { measured } from './measured.ts'

/** `engine down URL WORK`, `engine up GATEWAY FILE`: what the runner does, in a process of its own. */
const [direction, url = '', target = ''] = process.argv.slice(2)
const effects = systemEffects(directly)
const { signal } = new AbortController()

await measured(direction === 'down' ? down : up)

async function down(): Promise<void> {
  const limits = { fileBytes: null, scratchBytes: 2 ** 50, fileCount: 10 }
  const network = { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] }
  await fetchInputs(
    {
      sources: [{ alias: 'in_1', url, stored: null }],
      assignment: { network, limits: { ...limits, maxPixels: 1, transferSeconds: 3600 } },
      work: target,
      effects,
      resolve: async () => [],
      onFetched: () => undefined,
    },
    signal,
  )
}

async function up(): Promise<void> {
  const ask = gatewayRequests({ url, readToken: async () => 'token', ca: null }, effects)
  const upload = createUploader({
    gateway: createGateway(ask, 10_000),
    effects,
    objects: new Map(),
  })
  const { size } = await stat(target)
  const source = path.resolve(target)
  await upload([{ path: 'out.bin', source, sizeBytes: size, alias: 'out_1' }], signal)
}
