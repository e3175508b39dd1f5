import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { fetchFixture } from '../../../testing/runner/fetch-fixture.ts'
import { rangeServer } from '../../../testing/runner/odd-servers.ts'
import type { GrowingFile } from './growing-file.ts'
import { useFixture } from '../../../testing/support/scratch.ts'

const MiB = 1024 * 1024
const file = randomBytes(80 * MiB + 12_345)

describe('fetching a large input', () => {
  const fixture = useFixture(fetchFixture)

  it('uses ranges beside the stream and puts them together right', async () => {
    const url = await fixture.origin(rangeServer(file))
    await fixture.fetch(`${url}/a.mp4`)
    expect(
      fixture.requests.filter(({ headers }) => headers.range !== undefined).length,
    ).to.be.above(1)
    expect(sha(await fixture.stored('in_1.mp4'))).to.equal(sha(file))
  })

  it('reports how much of its start is in place, and never more', async () => {
    const url = await fixture.origin(rangeServer(file))
    const seen: number[] = []
    await fixture.fetch(`${url}/a.mp4`, {
      read: ['in_1'],
      onArriving: ({ file: growing }) => void follow(growing, seen),
    })
    expect(seen.length).to.be.above(1)
    expect(seen.toSorted((one, other) => one - other)).to.deep.equal(seen)
    expect(sha(await fixture.stored('in_1.mp4'))).to.equal(sha(file))
  })

  async function follow(growing: GrowingFile, seen: number[]): Promise<void> {
    while (!growing.complete) {
      await growing.changed()
      const { head } = growing
      if (head === 0) continue
      const part = await open(growing.path).catch(() => null)
      // The part has its name no more once it is complete.
      if (part === null) return
      const last = await part.read(Buffer.alloc(1), 0, 1, head - 1)
      await part.close()
      expect(last.buffer[0]).to.equal(file[head - 1])
      seen.push(head)
    }
  }

  it('the download stays with one stream when ranges are not offered', async () => {
    const url = await fixture.origin((_request, response) =>
      response.writeHead(200, { 'content-length': file.length, etag: '"v1"' }).end(file),
    )
    await fixture.fetch(`${url}/a.mp4`)
    expect([fixture.requests.length, sha(await fixture.stored('in_1.mp4'))]).to.deep.equal([
      1,
      sha(file),
    ])
  })

  it('fetches a range again that broke off', async () => {
    const whole = rangeServer(file)
    const url = await fixture.origin((request, response) => {
      if (fixture.requests.length === 3) response.destroy()
      else whole(request, response)
    })
    await fixture.fetch(`${url}/a.mp4`)
    expect(sha(await fixture.stored('in_1.mp4'))).to.equal(sha(file))
  })
})

function sha(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}
