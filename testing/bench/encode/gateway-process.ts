import { once } from 'node:events'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { openGateway } from '../../support/operator/gateway.ts'
import { openTestBucket } from '../../support/object-store.ts'
import type { FromGateway, ToGateway } from './gateway-messages.ts'

/**
 * The operator's gateway over a PostgreSQL and an S3 server, in a process of its own: its processor time is not that of the
 * benchmark.
 */
const bucket = await openTestBucket()
send({ s3: bucket.endpoint ?? '' })
const { endpoint } = await received()
const gateway = await openGateway({ objects: createObjectStore({ ...bucket, endpoint }) })
send({ url: gateway.url })
for (;;) {
  const { command, outputs } = await received()
  const files = { inputFiles: {}, inputCompressedFolder: null, outputFiles: outputs }
  const admitted = await gateway.command({ source: { commands: [command], ...files } })
  const { token } = await admitted.pod()
  send({ token })
}

function send(message: Partial<FromGateway>): void {
  process.send?.(message)
}

async function received(): Promise<ToGateway> {
  const [message] = (await once(process, 'message')) as [ToGateway]
  return message
}
