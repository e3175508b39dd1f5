import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { runGo } from '../../local-cluster/tools/go.ts'
import { kilobytes, storedBytes } from '../../common/kubernetes/stored-bytes.ts'

/** Code units of every kind, halves of surrogate pairs among them, and often those that grow. */
const codeUnit = fc.oneof(
  fc.constantFrom(...'<>&"\\\n\r\t\b\f\u0000\u001f\u007f\u2028\u2029'.split('')),
  fc.constantFrom('\ud83d\ude00', '\ud83d', '\ude00'),
  fc.integer({ min: 0, max: 0x7f }).map((unit) => String.fromCharCode(unit)),
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
)
const text = fc.array(codeUnit, { maxLength: 40 }).map((units) => units.join(''))
const object = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value

describe('storedBytes', () => {
  it('counts what Go writes, of 10,000 texts and 1,000 objects', async () => {
    const values: unknown[] = [
      ...fc.sample(text, { numRuns: 10_000, seed: 7 }),
      ...fc.sample(object, { numRuns: 1_000, seed: 7 }),
    ]
    const written = await bytesWrittenByGo(values)
    expect(written).to.have.length(11_000)
    const different = values.flatMap((value, index) =>
      storedBytes(value) === written[index]
        ? []
        : [`${JSON.stringify(value)}: ${storedBytes(value)}, Go writes ${written[index]}`],
    )
    expect(different).to.deep.equal([])
  })

  it('counts &, < and > as six bytes and leaves out undefined fields', () => {
    expect(storedBytes({ url: 'a&b<c>', none: undefined })).to.equal('{"url":"abc"}'.length + 18)
  })

  it('finds the sixfold growth of the largest body that the API reads', () => {
    const body = { input_files: { in_1: '&'.repeat(524_288) } }
    expect(kilobytes(storedBytes(body))).to.equal(3_073)
  })
})

/** `go run` compiles the program once and finds it in Go's build cache afterwards. */
async function bytesWrittenByGo(values: readonly unknown[]): Promise<number[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stored-bytes-'))
  try {
    const file = path.join(folder, 'values.jsonl')
    await writeFile(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
    const program = path.join(import.meta.dirname, 'stored-bytes.fixture.go')
    const what = 'comparing sizes with the encoder of kube-apiserver'
    const answer = await runGo(['run', program, file], { cwd: folder, what })
    return answer.trim().split('\n').map(Number)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
