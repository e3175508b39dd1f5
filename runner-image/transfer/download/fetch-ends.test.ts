import { expect } from 'chai'
import { open, readFile } from 'node:fs/promises'
import { directly } from '../../../common/runtime/failpoint.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { startHttp } from '../../../testing/runner/servers.ts'
import { fetchEnds } from './fetch-ends.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('the ends of a large file', () => {
  const object = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251))
  const at = useScratch()

  async function fetched(
    answer: (first: number, last: number, count: number) => { status: number; body: Buffer },
  ): Promise<Buffer> {
    let count = 0
    const server = await startHttp((request, response) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      const { status, body } = answer(Number(first), Number(last), ++count)
      response.writeHead(status).end(body)
    })
    const path = at('file')
    const file = await open(path, 'w')
    try {
      const effects = { ...systemEffects(directly), random: () => 0 }
      const url = new URL(server.url)
      const request = { url, file, sizeBytes: 1_000, effects, endBytes: 100 }
      await fetchEnds(request, new AbortController().signal)
      return await readFile(path)
    } finally {
      await file.close()
      await server.close()
    }
  }

  it('writes both ends of a large file to their places, with a hole between', async () => {
    const found = await fetched((first, last) => ({
      status: 206,
      body: object.subarray(first, last + 1),
    }))
    expect(found).to.have.length(1_000)
    expect(found.subarray(0, 100)).to.deep.equal(object.subarray(0, 100))
    expect(found.subarray(900)).to.deep.equal(object.subarray(900))
    expect(found.subarray(100, 900).every((byte) => byte === 0)).to.equal(true)
  })

  it('the ends of a large file are fetched on from where a connection broke', async () => {
    const found = await fetched((first, last, count) => ({
      status: 206,
      body: object.subarray(first, count === 1 ? first + 40 : last + 1),
    }))
    expect(found.subarray(0, 100)).to.deep.equal(object.subarray(0, 100))
  })

  it('the ends of a large file are refused when the server sends something else', async () => {
    const whole = await fetched(() => ({ status: 200, body: object })).catch(
      (error: unknown) => error,
    )
    expect(whole).to.be.instanceOf(Failure)
    expect(whole).to.deep.include({ status: 'STORAGE_ERROR' })
  })
})
