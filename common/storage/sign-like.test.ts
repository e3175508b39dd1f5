import { mock } from 'node:test'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { expect } from 'chai'
import { clientFor } from './client.ts'
import { createObjectStore } from './create-object-store.ts'

const options = {
  bucket: 'media',
  region: 'eu-central-1',
  endpoint: 'http://10.0.0.1:9000',
  publicEndpoint: 'https://files.example',
  credentials: { accessKeyId: 'AKIA/EXAMPLE', secretAccessKey: 'secret+with/signs=' },
}

describe('signLike', () => {
  // The SDK signs with the time of `Date`.
  before(() => mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 4, 20) }))
  after(() => mock.timers.reset())

  for (const pathStyle of [true, false]) {
    const style = pathStyle ? 'path' : 'host'

    it(`signs parts as the SDK does, ${style} style`, async () => {
      const own = createObjectStore({ ...options, pathStyle })
      const sdk = createObjectStore({
        ...options,
        endpoint: options.publicEndpoint,
        pathStyle,
      })
      const part = { key: 'public/a/b/c d+(ü).mp4', uploadId: 'x/+=~ y', expiresSeconds: 600 }
      const expected = await sdk.presignPart({ ...part, partNumber: 7, sizeBytes: 30 })
      const sizes = { partBytes: 100, sizeBytes: 630 }
      const [, , url] = await own.presignParts({ ...part, first: 5, count: 3, ...sizes })
      expect(sorted(url)).to.deep.equal(sorted(expected))
      own.close()
      sdk.close()
    })

    it(`signs reads of any key as the SDK does, ${style} style`, async () => {
      const own = createObjectStore({ ...options, pathStyle })
      const keys = ['private/a/s0.ts', "private/a/a b+(ü)!'*~&=?#%.ts"]
      const urls = await own.presignGets(keys, 600)
      for (const [index, key] of keys.entries()) {
        const expected = await own.presignGet({ key, expiresSeconds: 600, endpoint: 'public' })
        expect(sorted(urls[index])).to.deep.equal(sorted(expected))
      }
      own.close()
    })

    it(`signs objects of any name and type as the SDK does, ${style} style`, async () => {
      const own = createObjectStore({ ...options, pathStyle })
      const client = clientFor({ ...options, pathStyle }, options.endpoint)
      for (const [name, attachment] of [
        ['plain.ts', false],
        ["a b+(ü)!'*~&=?#%.html", true],
        ['…/日本/🎬.bin', true],
      ] as const) {
        const key = `public/a/${name}`
        const object = { key, contentType: 'text/html; charset=utf-8', attachment, sizeBytes: 30 }
        const expected = await bySdk(client, object)
        const [, put] = await own.presignPuts([{ ...object, key: 'first' }, object], 600)
        expect(sorted(put?.url)).to.deep.equal(sorted(expected))
      }
      own.close()
      client.destroy()
    })
  }
})

function bySdk(
  client: ReturnType<typeof clientFor>,
  object: { key: string; contentType: string; attachment: boolean; sizeBytes: number },
): Promise<string> {
  const command = new PutObjectCommand({
    Bucket: options.bucket,
    Key: object.key,
    ContentType: object.contentType,
    ...(object.attachment ? { ContentDisposition: 'attachment' } : {}),
    CacheControl: 'public, max-age=31536000, immutable',
    ContentLength: object.sizeBytes,
  })
  const names = ['cache-control', 'content-type', 'content-disposition', 'content-length', 'host']
  return getSignedUrl(client, command, { expiresIn: 600, signableHeaders: new Set(names) })
}

function sorted(url = ''): unknown {
  const [address, search = ''] = url.split('?')
  return { address, pairs: search.split('&').toSorted() }
}
