import { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { createReadStream } from 'node:fs'
import { printCost } from './print-cost.ts'

/** `sdk-upload ENDPOINT FILE`: as the library's own documentation does it, with its defaults. */
const [endpoint = '', file = ''] = process.argv.slice(2)
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })

await printCost(async () => {
  const params = { Bucket: 'b', Key: 'k', Body: createReadStream(file) }
  await new Upload({ client, params }).done()
})
