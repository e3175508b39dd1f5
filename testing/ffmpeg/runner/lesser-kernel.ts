import {
  architectureNames,
  missingCallsFilter,
} from '../../../runner-image/ffmpeg/sandbox/seccomp.ts'
import type { Architecture } from '../../../runner-image/ffmpeg/sandbox/seccomp.ts'

/** Parts of the sandbox that a kernel may lack. */
export const kernelFeatures = ['landlock', 'seccomp'] as const
export type KernelFeature = (typeof kernelFeatures)[number]

/**
 * A seccomp filter (`setpriv --seccomp-filter`) behind which a kernel answers as one without the
 * feature does: ENOSYS to the calls of Landlock, EINVAL to a process that requests a filter.
 */
export function filterOfKernelWithout(feature: KernelFeature): Uint8Array {
  const architecture = architectureNames.find((name) => name === process.arch)
  if (architecture === undefined) throw new Error(`no filter for ${process.arch}`)
  // landlock_create_ruleset, landlock_add_rule and landlock_restrict_self, the same everywhere
  if (feature === 'landlock') return missingCallsFilter(architecture, [444, 445, 446])
  return withoutFilters(architecture)
}

function withoutFilters(architecture: Architecture): Uint8Array {
  const numberOf = { x64: { prctl: 157, seccomp: 317 }, arm64: { prctl: 167, seccomp: 277 } }
  const { prctl, seccomp } = numberOf[architecture]
  const setSeccomp = 22
  // struct sock_filter: u16 code, u8 jump when true, u8 when false, u32 operand
  const program = [
    [load, 0, 0, 0],
    [ifEqual, 4, 0, seccomp],
    [ifEqual, 0, 2, prctl],
    [load, 0, 0, 16], // the low half of its first argument
    [ifEqual, 1, 0, setSeccomp],
    [answer, 0, 0, 0x7fff0000], // allowed
    [answer, 0, 0, 0x00050000 + 22],
  ] as const
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, whenTrue, whenFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(whenTrue, index * 8 + 2)
    bytes.writeUInt8(whenFalse, index * 8 + 3)
    bytes.writeUInt32LE(operand, index * 8 + 4)
  }
  return bytes
}

const load = 0x20
const ifEqual = 0x15
const answer = 0x06
