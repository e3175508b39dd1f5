/** For sentences: megabytes of 2^20 bytes with one decimal, whole numbers without. */
export function megabytes(bytes: number): string {
  return String(Math.round((bytes / 1024 ** 2) * 10) / 10)
}
