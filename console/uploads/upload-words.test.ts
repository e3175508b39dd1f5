import { signal } from '@preact/signals'
import { expect } from 'chai'
import fc from 'fast-check'
import { aFile } from '../shell/samples.fixture.ts'
import { percentOf, uploadWords } from './upload-words.ts'
import type { UploadState } from './upload.ts'

const mebibyte = 1_048_576
const upload = (state: UploadState, sent = 50, speed: number | null = null) => ({
  state: signal(state),
  sentBytes: signal(sent * mebibyte),
  sizeBytes: 100 * mebibyte,
  speed: signal(speed),
})
const words = (...given: Parameters<typeof upload>) => uploadWords(upload(...given))

describe('percentOf an upload', () => {
  it('percentOf returns a whole percent that is 100 only when all was sent, for any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 45 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (sizeBytes, part) => {
          const sent = Math.floor(sizeBytes * part)
          const percent = percentOf({
            ...upload({ kind: 'waiting' }),
            sizeBytes,
            sentBytes: signal(sent),
          })
          expect(Number.isInteger(percent)).to.equal(true)
          expect(percent).to.be.within(0, 100)
          expect(percent === 100).to.equal(sent === sizeBytes)
        },
      ),
    )
  })

  it('percentOf returns 0 for an empty file', () => {
    expect(percentOf({ ...upload({ kind: 'waiting' }, 0), sizeBytes: 0 })).to.equal(0)
  })
})

describe('the words of an upload', () => {
  it('uploadWords says what an upload waits for in each state', () => {
    expect(words({ kind: 'waiting' })).to.equal('Waits for another upload')
    expect(words({ kind: 'paused' })).to.equal('Paused at 50 %')
    expect(words({ kind: 'interrupted' })).to.equal(
      '50 % is stored. Drop this file again to go on, or discard it.',
    )
    expect(words({ kind: 'failed', problem: new Error('It is empty') })).to.equal('It is empty')
    expect(words({ kind: 'done', file: aFile() })).to.equal('Uploaded')
  })

  it('uploadWords says speed and time left once they are known', () => {
    const sending = { kind: 'sending', retry: null } as const
    expect(words(sending)).to.equal('50 %')
    expect(words(sending, 50, 5 * mebibyte)).to.equal('50 % · 5.0 MB/s · about 10 s left')
    expect(words(sending, 50, 0)).to.equal('50 % · 0.0 MB/s')
  })

  it('uploadWords says that the storage joins the parts when all were sent, unless one is sent again', () => {
    expect(words({ kind: 'sending', retry: null }, 100)).to.equal('The storage joins the parts')
    const retry = { part: 3, failures: 1, waitMs: 1_000 }
    expect(words({ kind: 'sending', retry }, 100)).to.equal(
      '100 %. Part 3 did not arrive and is sent again (attempt 2 of 5)',
    )
  })
})
