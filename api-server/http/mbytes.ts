import { bytesPerMbyte } from '../../common/domain/plans.ts'

export function mbytes(bytes: number): number {
  return bytes / bytesPerMbyte
}
