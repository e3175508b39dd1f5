import { expect } from 'chai'
import { createDistantObjects } from './distant-objects.ts'

describe('objects of a distant storage', () => {
  const listing = '<ListBucketResult><Prefix>a/</Prefix></ListBucketResult>'

  it('are listed below their prefix with size and ETag', () => {
    const objects = createDistantObjects()
    const etag = objects.add('/media/a/x & y.ts', 7)
    objects.add('/media/b/z.ts', 8)
    const quoted = etag.replaceAll('"', '&#34;')
    expect(objects.listed(listing, '/media/', 'a/')).to.equal(
      `<ListBucketResult><Prefix>a/</Prefix><Contents><Key>a/x &#38; y.ts</Key><ETag>${quoted}</ETag><Size>7</Size></Contents></ListBucketResult>`,
    )
  })

  it('leave a listing as it is when none was added', () => {
    expect(createDistantObjects().listed(listing, '/media/', 'a/')).to.equal(listing)
  })
})
