import { expect } from 'chai'
import { createObjectStore } from './create-object-store.ts'

const options = {
  bucket: 'media',
  region: 'eu-central-1',
  endpoint: 'http://10.0.0.1:9000',
  publicEndpoint: 'https://files.example',
  credentials: { accessKeyId: 'AKIA/EXAMPLE', secretAccessKey: 'secret+with/signs=' },
}

describe('signParts', () => {
  for (const pathStyle of [true, false]) {
    it(`signs as the SDK does, ${pathStyle ? 'path' : 'host'} style`, async () => {
      const own = createObjectStore({ ...options, pathStyle })
      const sdk = createObjectStore({
        ...{ ...options, endpoint: options.publicEndpoint },
        pathStyle,
      })
      const part = { key: 'public/a/b/c d+(ü).mp4', uploadId: 'x/+=~ y', expiresSeconds: 600 }
      const url = await inOneSecond(async () => [
        await sdk.presignPart({ ...part, partNumber: 7, sizeBytes: 30 }),
        (
          await own.presignParts({ ...part, first: 5, count: 3, partBytes: 100, sizeBytes: 630 })
        )[2],
      ])
      expect(sorted(url[1])).to.deep.equal(sorted(url[0]))
      own.close()
      sdk.close()
    })
  }
})

/** Both were signed in the same second, or the signatures differ for that reason alone. */
async function inOneSecond(
  sign: () => Promise<(string | undefined)[]>,
): Promise<(string | undefined)[]> {
  for (;;) {
    const urls = await sign()
    const times = urls.map((url) => new URL(url ?? '').searchParams.get('X-Amz-Date'))
    if (new Set(times).size === 1) return urls
  }
}

function sorted(url = ''): unknown {
  const { origin, pathname, search } = new URL(url)
  return { origin, pathname, pairs: search.slice(1).split('&').toSorted() }
}
