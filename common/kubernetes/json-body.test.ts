import { expect } from 'chai'
import fc from 'fast-check'
import { readJson, readJsonLines } from './json-body.ts'

describe('JSON of a body', () => {
  it('a JSON body is the same however the bytes are cut', async () => {
    const value = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(value, fc.integer({ min: 1, max: 20 }), async (values, size) => {
        const lines = values.map((entry) => `${JSON.stringify(entry)}\n`).join('')
        const read: unknown[] = []
        for await (const line of readJsonLines(cut(lines, size))) read.push(line)
        expect(read).to.deep.equal(values)
        expect(await readJson(cut(JSON.stringify(values), size))).to.deep.equal(values)
      }),
    )
  })

  it('leaves out a last line that is not complete', async () => {
    const read: unknown[] = []
    for await (const line of readJsonLines(cut('{"a":1}\n\n{"b"', 3))) read.push(line)
    expect(read).to.deep.equal([{ a: 1 }])
  })

  it('refuses JSON without quoting it', async () => {
    const error: unknown = await readJson(cut('<secret>', 3)).catch((thrown: unknown) => thrown)
    expect(String(error)).to.equal('Error: the answer is not JSON')
  })

  async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
})
