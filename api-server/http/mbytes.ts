import { bytesPerMbyte } from '../../common/plans.ts'

export function mbytes(bytes: number): number {
  return bytes / bytesPerMbyte
}
