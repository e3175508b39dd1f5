import { expect } from 'chai'
import { architectureNames, missingCallsFilter, seccompFilter } from './seccomp.ts'

const allow = 0x7fff0000
const kill = 0x80000000
const errno = 0x00050000

const audit = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 }

describe('the seccomp filter', () => {
  const x64 = (number: number): number => verdict(seccompFilter('x64'), audit.x64, number)
  const arm64 = (number: number): number => verdict(seccompFilter('arm64'), audit.arm64, number)

  it('refuses sockets, tracing, mounts, keys and io_uring on x86-64, and nothing beside them', () => {
    const refused = Array.from({ length: 500 }, (_, number) => number).filter(
      (number) => x64(number) === errno + 1,
    )
    expect(refused).to.deep.equal([
      41, 53, 101, 165, 166, 248, 249, 250, 272, 298, 308, 310, 311, 321, 323, 425, 426, 427, 438,
    ])
    expect([0, 59, 499].map(x64)).to.deep.equal([allow, allow, allow])
  })

  it('refuses the same by the numbers of arm64', () => {
    const refused = Array.from({ length: 500 }, (_, number) => number).filter(
      (number) => arm64(number) === errno + 1,
    )
    expect(refused).to.deep.equal([
      39, 40, 97, 117, 198, 199, 217, 218, 219, 241, 268, 270, 271, 280, 282, 425, 426, 427, 438,
    ])
  })

  it('refuses every call by its x32 number', () => {
    expect([0x40000000, 0x40000000 + 41, 0x400001ff].map(x64)).to.deep.equal(
      Array.from({ length: 3 }, () => errno + 1),
    )
  })

  it('kills what calls as another architecture', () => {
    for (const architecture of architectureNames) {
      expect(verdict(seccompFilter(architecture), audit.i386, 0)).to.equal(kill)
    }
    expect(verdict(seccompFilter('x64'), audit.arm64, 0)).to.equal(kill)
  })

  it('the seccomp filter imitates a kernel that does not know some calls', () => {
    const filter = missingCallsFilter('x64', [444])
    expect(verdict(filter, audit.x64, 444)).to.equal(errno + 38)
    expect(verdict(filter, audit.x64, 41)).to.equal(allow)
  })
})

/** Runs the program as the kernel does: classic BPF, the few instructions that filters use. */
function verdict(filter: Uint8Array, architecture: number, number: number): number {
  const program = Buffer.from(filter)
  const data = new Map([
    [0, number],
    [4, architecture],
  ])
  let accumulator = 0
  for (let at = 0; at < program.length; at += 8) {
    const operand = program.readUInt32LE(at + 4)
    const skip = (holds: boolean): number => program.readUInt8(holds ? at + 2 : at + 3) * 8
    switch (program.readUInt16LE(at)) {
      case 0x20:
        accumulator = data.get(operand) ?? Number.NaN
        break
      case 0x15:
        at += skip(accumulator === operand)
        break
      case 0x35:
        at += skip(accumulator >= operand)
        break
      case 0x06:
        return operand
      default:
        throw new Error(`unknown instruction at ${String(at)}`)
    }
  }
  throw new Error('the program ran past its end')
}
