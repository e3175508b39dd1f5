import type {
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { signLike } from './sign-like.ts'
import type { UrlToSign } from './sign-like.ts'

type Command = GetObjectCommand | PutObjectCommand | UploadPartCommand

/** Presigns URLs with the credentials of a client. */
export interface Presigner {
  /** The URL ends earlier where the session of the credentials does. */
  url(command: Command, expiresSeconds: number, headers?: readonly string[]): Promise<string>
  /** Signs many URLs that are like that of the command. */
  like(
    command: Command,
    expiresSeconds: number,
    headers?: readonly string[],
  ): Promise<{ readonly url: string; readonly sign: (wanted: UrlToSign) => string }>
}

export function createPresigner(client: S3Client, region: string): Presigner {
  const sign = (command: Command, expiresIn: number, headers?: readonly string[]) =>
    // The SDK has one signature for all commands, with a type for each.
    getSignedUrl(client, command as GetObjectCommand, {
      expiresIn,
      ...(headers === undefined ? {} : { signableHeaders: new Set(headers) }),
    })
  const presigner: Presigner = {
    async url(command, expiresSeconds, headers) {
      const url = await sign(command, expiresSeconds, headers)
      const { sessionToken, expiration } = await client.config.credentials()
      if (sessionToken === undefined || expiration === undefined) return url
      const left = Math.floor((expiration.getTime() - signedAt(url)) / 1_000) - spareSeconds
      return left >= expiresSeconds ? url : sign(command, Math.max(1, left), headers)
    },
    async like(command, expiresSeconds, headers) {
      for (;;) {
        const { accessKeyId, secretAccessKey } = await client.config.credentials()
        const url = await presigner.url(command, expiresSeconds, headers)
        // Another key may have come between the two.
        if (parameter(url, 'X-Amz-Credential').startsWith(`${accessKeyId}/`)) {
          return { url, sign: signLike(url, { region, secretAccessKey }) }
        }
      }
    },
  }
  return presigner
}

/** A URL with a session token is refused once the session has ended, before its own end, too. */
const spareSeconds = 60

/** Milliseconds since 1970 at which the URL was signed: 20260520T183000Z. */
function signedAt(url: string): number {
  const text = parameter(url, 'X-Amz-Date')
  const [date, time] = [text.slice(0, 8), text.slice(9, 15)]
  const pairs = (digits: string) => digits.match(/../g) ?? []
  const [hours, minutes, seconds] = pairs(time)
  return Date.parse(
    `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${hours}:${minutes}:${seconds}Z`,
  )
}

function parameter(url: string, name: string): string {
  return new URL(url).searchParams.get(name) ?? ''
}
