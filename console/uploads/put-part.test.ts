import { expect } from 'chai'
import { PartRefused } from '../../cli/client/upload/part-errors.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { EtagHidden, PartNotSent, putPart } from './put-part.ts'

/** A request as the browser makes it, whose events a test raises. */
class FakeRequest extends EventTarget {
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  etag: string | null = '"e"'
  opened: string[] = []
  body: Blob | null = null
  open(method: string, url: string): void {
    this.opened = [method, url]
  }
  send(body: Blob): void {
    this.body = body
  }
  abort(): void {
    this.end('abort')
  }
  getResponseHeader(name: string): string | null {
    return name === 'etag' ? this.etag : null
  }
  progress(loaded: number): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }))
  }
  end(event: 'load' | 'error' | 'abort'): void {
    this.dispatchEvent(new Event(event))
    this.dispatchEvent(new Event('loadend'))
  }
  answer(status: number, text = ''): void {
    this.status = status
    this.responseText = text
    this.end('load')
  }
}

describe('putPart', () => {
  const file = new Blob(['0123456789'])
  const send = ({ isAborted = false } = {}) => {
    const clock = createVirtualClock()
    const request = new FakeRequest()
    const stop = new AbortController()
    if (isAborted) stop.abort(new Error('paused'))
    let counted = 0
    const put = putPart(
      file,
      { url: 'https://s3.example/k?partNumber=2', start: 4, length: 4 },
      { signal: stop.signal, onBytes: (count) => (counted += count) },
      (ms, callback) => clock.schedule(ms, callback),
      request as unknown as XMLHttpRequest,
    )
    put.catch(() => undefined)
    return { clock, request, stop, put, counted: () => counted }
  }

  it('putPart sends the bytes of its range without a type, and returns the ETag', async () => {
    const { request, put, clock } = send()
    expect(request.opened).to.deep.equal(['PUT', 'https://s3.example/k?partNumber=2'])
    expect([await request.body?.text(), request.body?.type]).to.deep.equal(['4567', ''])
    request.answer(200)
    expect(await put).to.equal('"e"')
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('putPart counts each byte once, and all bytes of the part when it is stored', async () => {
    const { request, put, counted } = send()
    request.progress(1)
    request.progress(3)
    expect(counted()).to.equal(3)
    // A browser counts the head of the request, too.
    request.progress(900)
    expect(counted()).to.equal(4)
    request.answer(200)
    await put
    expect(counted()).to.equal(4)
  })

  it('putPart rejects with the code of the storage when it refuses the part', async () => {
    const { request, put } = send()
    request.answer(403, '<Error><Code>RequestTimeTooSkewed</Code></Error>')
    const reason = await rejectionOf(put)
    expect(reason).to.be.instanceOf(PartRefused).and.include({ status: 403 })
    expect(String(reason)).to.contain('RequestTimeTooSkewed')
  })

  it('putPart rejects when the storage has stored the part and hides its ETag', async () => {
    const { request, put } = send()
    request.etag = null
    request.answer(200)
    expect(await rejectionOf(put)).to.be.instanceOf(EtagHidden)
  })

  it('putPart rejects when the connection breaks, and when it is aborted before or while it sends', async () => {
    const broken = send()
    broken.request.end('error')
    expect(await rejectionOf(broken.put)).to.be.instanceOf(PartNotSent)
    const stopped = send()
    stopped.stop.abort(new Error('paused'))
    expect(await rejectionOf(stopped.put)).to.be.instanceOf(PartNotSent)
    const before = send({ isAborted: true })
    expect(await rejectionOf(before.put)).to.be.instanceOf(PartNotSent)
    expect(before.request.body).to.equal(null)
  })

  it('putPart rejects when no byte was sent for a minute, and not while bytes are sent', async () => {
    const { request, put, clock } = send()
    await clock.advance(59_999)
    request.progress(1)
    await clock.advance(59_999)
    let isEnded = false
    put.catch(() => (isEnded = true))
    await clock.settle()
    expect(isEnded).to.equal(false)
    await clock.advance(1)
    expect(await rejectionOf(put)).to.be.instanceOf(PartNotSent)
  })
})
