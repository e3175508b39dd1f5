import { expect } from 'chai'
import fc from 'fast-check'
import { uuidV7 } from './uuid-v7.ts'

describe('uuidV7', () => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 })

  it('uuidV7 has the time in its first 48 bits, and version and variant of RFC 9562, for any random bytes', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 48 - 1), bytes, (unixMs, random) => {
        const id = uuidV7(unixMs, random)
        expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).to.equal(unixMs)
      }),
    )
  })

  it('uuidV7 returns the example of RFC 9562', () => {
    const random = Uint8Array.of(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f)
    expect(uuidV7(0x017f22e279b0, random)).to.equal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  })
})
