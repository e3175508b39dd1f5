import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Environment } from './environment.ts'

/**
 * Keys of all stored files whose key has `text` in it: what the store holds, not what records say. The
 * result object of a command is not counted: it goes with the record.
 */
export async function storedObjects(env: Environment, text: string): Promise<string[]> {
  const { endpoint, region, accessKeyId, secretAccessKey } = env.s3
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
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
  return keys.filter((key) => key.includes(text) && !key.includes('/results/'))
}

/** The same without the log of a command, which is moved to the store some time after its end. */
export async function storedOutputs(env: Environment, text: string): Promise<string[]> {
  return (await storedObjects(env, text)).filter((key) => !key.includes('/logs/'))
}

/**
 * URLs of an HLS manifest and of all that it leads to, as a player would fetch them; of another
 * manifest only its own.
 * @throws where one of them does not answer
 */
export async function playlistUrls(manifest: string): Promise<string[]> {
  const answer = await fetch(manifest)
  if (!answer.ok) throw new Error(`${manifest} answered ${answer.status}`)
  const text = await answer.text()
  if (!manifest.endsWith('.m3u8')) return [manifest]
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const maps = [...text.matchAll(/#EXT-X-MAP:URI="([^"]+)"/g)].map(([, name = '']) => name)
  const found = await Promise.all(
    [...new Set([...lines, ...maps])].map((name) => playlistUrls(new URL(name, manifest).href)),
  )
  return [manifest, ...found.flat()]
}
