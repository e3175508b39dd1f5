import { expect } from 'chai'
import { readAnswer } from './range-response.ts'
import type { RequestedRange } from './range-response.ts'

const now = new Date('2026-01-01T00:00:00Z')
const version = { validator: '"v1"', totalBytes: 100 }
const rest: RequestedRange = { first: 40, last: null, of: version }

function kindOf(
  status: number,
  headers: Record<string, string>,
  requested: RequestedRange | null,
): string {
  return readAnswer(status, headers, requested, now).kind
}

describe("reading an origin's answer", () => {
  it('takes length, validator and the word on ranges from a whole file', () => {
    const headers = { 'content-length': '100', etag: '"v1"', 'accept-ranges': 'bytes' }
    expect(readAnswer(200, headers, null, now)).to.deep.equal({
      kind: 'whole',
      version,
      acceptsRanges: true,
    })
  })

  it('the reader of an answer does not trust a weak ETag, and falls back to Last-Modified', () => {
    const headers = { etag: 'W/"v1"', 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' }
    const answer = readAnswer(200, headers, null, now)
    expect(answer.kind === 'whole' && answer.version.validator).to.equal(headers['last-modified'])
  })

  it('joins a range only to the same version of the file', () => {
    const good = { 'content-range': 'bytes 40-99/100', etag: '"v1"' }
    expect(kindOf(206, good, rest)).to.equal('range')
    expect(kindOf(206, { ...good, etag: '"v2"' }, rest)).to.equal('changed')
    expect(kindOf(206, { ...good, 'content-range': 'bytes 30-99/100' }, rest)).to.equal('changed')
    expect(kindOf(206, { ...good, 'content-range': 'bytes 40-99/101' }, rest)).to.equal('changed')
    expect(kindOf(206, { etag: '"v1"' }, rest)).to.equal('changed')
    expect(kindOf(206, { 'content-range': 'bytes 40-99/100' }, rest)).to.equal('changed')
  })

  it('the download starts again when a range is answered with the whole file or none of it', () => {
    expect(kindOf(200, {}, rest)).to.equal('whole')
    expect(kindOf(416, {}, rest)).to.equal('changed')
  })

  it('refuses a range that was not requested', () => {
    expect(kindOf(206, { 'content-range': 'bytes 0-9/10' }, null)).to.equal('refused')
  })

  for (const status of [408, 429, 500, 502, 503, 504]) {
    it(`tries again after ${String(status)}`, () => {
      expect(kindOf(status, {}, null)).to.equal('again')
    })
  }
  for (const status of [204, 304, 400, 401, 403, 404, 410, 451]) {
    it(`gives up at ${String(status)}`, () => {
      expect(kindOf(status, {}, null)).to.equal('refused')
    })
  }

  it('hears how long to wait, in seconds or as a date', () => {
    const wait = (value: string): unknown => {
      const answer = readAnswer(503, { 'retry-after': value }, null, now)
      return answer.kind === 'again' && answer.retryAfterMs
    }
    expect([wait('7'), wait('Thu, 01 Jan 2026 00:00:09 GMT'), wait('soon')]).to.deep.equal([
      7000,
      9000,
      null,
    ])
  })
})
