import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Environment } from './environment.ts'

/** Keys of all stored objects whose key has `text` in it: what the store itself holds, whatever records say. */
export async function storedObjects(env: Environment, text: string): Promise<string[]> {
  const { endpoint, region, accessKeyId, secretAccessKey } = env.s3
  const client = new S3Client({
    ...{ endpoint, region, forcePathStyle: true },
    credentials: { accessKeyId, secretAccessKey },
  })
  const keys: string[] = []
  let next: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: env.installed.bucket,
        ...(next === undefined ? {} : { ContinuationToken: next }),
      }),
    )
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''))
    next = page.NextContinuationToken
  } while (next !== undefined)
  client.destroy()
  return keys.filter((key) => key.includes(text))
}
