import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { fetchFixture } from '../../../testing/runner/fetch-fixture.ts'
import type { OriginHandler } from '../../../testing/runner/fetch-fixture.ts'
import type { GrowingFile } from './growing-file.ts'
import { useFixture } from '../../../testing/support/scratch.ts'

const MiB = 1024 * 1024
const file = randomBytes(80 * MiB + 12_345)

describe('fetching a large input', () => {
  const fixture = useFixture(fetchFixture)

  it('uses ranges beside the stream and puts them together right', async () => {
    const url = await fixture.origin(rangeServer(file, '"v1"'))
    await fixture.fetch(`${url}/a.mp4`)
    expect(
      fixture.requests.filter(({ headers }) => headers.range !== undefined).length,
    ).to.be.above(1)
    expect(sha(await fixture.stored('in_1.mp4'))).to.equal(sha(file))
  })

  it('reports how much of its start is in place, and never more', async () => {
    const url = await fixture.origin(rangeServer(file, '"v1"'))
    const seen: number[] = []
    await fixture.fetch(`${url}/a.mp4`, {
      onArriving: ({ file: growing }) => void follow(growing, seen),
    })
    expect(seen.length).to.be.above(1)
    expect(seen.toSorted((one, other) => one - other)).to.deep.equal(seen)
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

  it('stays with one stream when ranges are not offered', async () => {
    const url = await fixture.origin((_request, response) =>
      response.writeHead(200, { 'content-length': file.length, etag: '"v1"' }).end(file),
    )
    await fixture.fetch(`${url}/a.mp4`)
    expect([fixture.requests.length, sha(await fixture.stored('in_1.mp4'))]).to.deep.equal([
      1,
      sha(file),
    ])
  })

  it('starts over when a range is of another version', async () => {
    const other = randomBytes(1000)
    const first = rangeServer(file, '"v1"')
    const url = await fixture.origin((request, response) => {
      if (fixture.requests.length <= 2) first(request, response)
      else rangeServer(other, '"v2"')(request, response)
    })
    await fixture.fetch(`${url}/a.mp4`)
    expect(sha(await fixture.stored('in_1.mp4'))).to.equal(sha(other))
  })

  it('fetches a range again that broke off', async () => {
    const whole = rangeServer(file, '"v1"')
    const url = await fixture.origin((request, response) => {
      if (fixture.requests.length === 3) response.destroy()
      else whole(request, response)
    })
    await fixture.fetch(`${url}/a.mp4`)
    expect(sha(await fixture.stored('in_1.mp4'))).to.equal(sha(file))
  })
})

function rangeServer(body: Buffer, etag: string): OriginHandler {
  return (request, response) => {
    const head = { etag, 'accept-ranges': 'bytes' }
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined || request.headers['if-range'] !== etag) {
      response.writeHead(200, { ...head, 'content-length': body.length }).end(body)
      return
    }
    const end = last ? Number(last) : body.length - 1
    const range = `bytes ${first}-${String(end)}/${String(body.length)}`
    response
      .writeHead(206, { ...head, 'content-range': range })
      .end(body.subarray(Number(first), end + 1))
  }
}

function sha(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}
