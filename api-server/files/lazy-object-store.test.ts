import { expect } from 'chai'
import { createLazyObjectStore } from './lazy-object-store.ts'

describe('createLazyObjectStore', () => {
  it('presigns a GET for the public endpoint with the requested lifetime', async () => {
    const objects = createLazyObjectStore({
      bucket: 'media',
      region: 'eu-central-1',
      endpoint: null,
      publicEndpoint: 'https://files.example',
      pathStyle: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    })
    const url = new URL(
      await objects.presignGet({
        key: 'private/a/b/c/clip 1.mp4',
        expiresSeconds: 3_600,
        endpoint: 'public',
      }),
    )
    expect(`${url.origin}${url.pathname}`).to.equal(
      'https://files.example/media/private/a/b/c/clip%201.mp4',
    )
    expect(url.searchParams.get('X-Amz-Expires')).to.equal('3600')
    expect(url.searchParams.get('X-Amz-Signature')).to.match(/^[0-9a-f]{64}$/)
  })
})
