import type { Exited } from '../link/messages.ts'

/**
 * Whether a run ended because its pod had as many threads and processes as the node allows. The
 * exit code does not tell: of Debian's encoders libx264 ends with 187, libvpx and libaom with 183
 * (invalid data), SVT-AV1 with 244 (no memory), rav1e with an abort, and libx265 not at all.
 */
export function lacksThread({ code, signal, threadRefused, tail }: Exited): boolean {
  if (code === null ? signal === 'SIGXFSZ' : explained.has(code)) return false
  return threadRefused || refusals.test(tail)
}

/** Ends that have their own reason, whatever else the kernel refused: usage, files, permissions. */
const explained: ReadonlySet<number> = new Set([1, 8, 153, 228, 229, 243, 254])

/** Where the count of the kernel cannot be read: see `pidsGroup`. FFmpeg, libvpx and libaom, SVT-AV1, rav1e. */
const refusals =
  /pthread_create\(\) failed: Resource temporarily unavailable|thread creation failed|Failed to create thread:|ThreadPoolBuildError/
