/**
 * Assembles the seccomp filters that FFmpeg runs under: no sockets, so no network for any command,
 * and none of the system calls that native code in a decoder would try next. A filter is a classic
 * BPF program over `struct seccomp_data` (linux/seccomp.h, linux/filter.h).
 */
export type Architecture = keyof typeof architectures

/** Node's names of the architectures for which there is a filter. */
export const architectureNames = ['x64', 'arm64'] as const satisfies readonly Architecture[]

/** Numbers of linux/audit.h and of each architecture's system call table. */
const architectures = {
  x64: {
    audit: 0xc000003e,
    // numbers from here on are the x32 calls: the same functions by other numbers
    x32From: 0x40000000,
    refused: {
      socket: 41,
      socketpair: 53,
      ptrace: 101,
      mount: 165,
      umount2: 166,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      bpf: 321,
      userfaultfd: 323,
      io_uring_setup: 425,
      io_uring_enter: 426,
      io_uring_register: 427,
      pidfd_getfd: 438,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    x32From: null,
    refused: {
      socket: 198,
      socketpair: 199,
      ptrace: 117,
      mount: 40,
      umount2: 39,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      unshare: 97,
      perf_event_open: 241,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      bpf: 280,
      userfaultfd: 282,
      io_uring_setup: 425,
      io_uring_enter: 426,
      io_uring_register: 427,
      pidfd_getfd: 438,
    },
  },
} as const

export interface Instruction {
  readonly code: number
  /** Instructions to skip when a jump's condition holds, and when not. */
  readonly whenTrue: number
  readonly whenFalse: number
  readonly operand: number
}

/** Filter that FFmpeg runs under. */
export function seccompFilter(architecture: Architecture): Uint8Array {
  const { refused } = architectures[architecture]
  return encode(seccompProgram(architecture, Object.values(refused), notPermitted))
}

/** The filter of a kernel that does not know these calls. */
export function missingCallsFilter(
  architecture: Architecture,
  calls: readonly number[],
): Uint8Array {
  return encode(seccompProgram(architecture, calls, notImplemented))
}

/** A foreign architecture kills, the calls named answer `error`, everything else is allowed. */
export function seccompProgram(
  architecture: Architecture,
  calls: readonly number[],
  error: number,
): Instruction[] {
  const { audit, x32From } = architectures[architecture]
  const tests = [
    ...(x32From === null ? [] : [{ code: jumpIfAtLeast, operand: x32From }]),
    ...calls.map((number) => ({ code: jumpIfEqual, operand: number })),
  ]
  return [
    { ...load, operand: offsetOfArchitecture },
    // execve stays allowed: setpriv still has to start the program
    { code: jumpIfEqual, whenTrue: 1, whenFalse: 0, operand: audit },
    { ...answer, operand: killProcess },
    { ...load, operand: offsetOfNumber },
    ...tests.map(({ code, operand }, index) => ({
      code,
      operand,
      // over the remaining tests and the answer that allows
      whenTrue: tests.length - index,
      whenFalse: 0,
    })),
    { ...answer, operand: allow },
    { ...answer, operand: errno | error },
  ]
}

const load = { code: 0x20, whenTrue: 0, whenFalse: 0 }
const answer = { code: 0x06, whenTrue: 0, whenFalse: 0 }
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35

const offsetOfNumber = 0
const offsetOfArchitecture = 4

const killProcess = 0x80000000
const errno = 0x00050000
const allow = 0x7fff0000

const notPermitted = 1
const notImplemented = 38

/** `struct sock_filter`: u16 code, u8 jt, u8 jf, u32 k; both architectures are little-endian. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach((instruction, index) => {
    const at = index * 8
    bytes.writeUInt16LE(instruction.code, at)
    bytes.writeUInt8(instruction.whenTrue, at + 2)
    bytes.writeUInt8(instruction.whenFalse, at + 3)
    bytes.writeUInt32LE(instruction.operand, at + 4)
  })
  return bytes
}
