import { expect } from 'chai'
import { statesLength } from './mp3-length.ts'
import { readingBytes } from './read-bytes.ts'

describe('an MP3', () => {
  const frame = (header: string) => Buffer.from(`\u00ff\u00fb${'\0'.repeat(34)}${header}`, 'latin1')
  const tag = (bytes: number, flags = 0) =>
    Buffer.concat([
      Buffer.from(['I', 'D', '3'].map((sign) => sign.charCodeAt(0))),
      Buffer.from([4, 0, flags, 0, 0, bytes >> 7, bytes & 0x7f]),
      Buffer.alloc(bytes + (flags === 0 ? 0 : 10), 'Xing\0\0\0\u0001'),
    ])
  const counted = frame('Xing\0\0\0\u000f\0\0\u0001\0')
  const table: [what: string, bytes: Buffer, states: boolean][] = [
    ['with a frame of Xing', counted, true],
    ['with a frame of Info, as of a constant rate', frame('Info\0\0\0\u0001\0\0\u0001\0'), true],
    ['with a frame of VBRI', frame('VBRI\0\u0001'), true],
    ['with a frame of Xing that does not count', frame('Xing\0\0\0\u000e'), false],
    ['of sound alone', frame('\0\0\0\0'), false],
    ['with such a frame behind its tag', Buffer.concat([tag(500), counted]), true],
    ['with a word in its tag alone', Buffer.concat([tag(500), frame('\0')]), false],
    ['with a tag that has a footer', Buffer.concat([tag(500, 0x10), frame('\0')]), false],
    ['that is empty', Buffer.alloc(0), false],
  ]
  for (const [what, bytes, states] of table) {
    it(`${what} ${states ? 'states' : 'does not state'} its length`, () => {
      expect(statesLength(readingBytes(bytes))).to.equal(states)
    })
  }
})
