import { Failure } from '../../../../common/domain/failures.ts'
import { megabytes } from '../../runtime/transfer-allowance.ts'

/** Counts the bytes of all inputs of a command on the working disk. */
export interface ByteBudget {
  /** @throws Failure INPUT_TOO_LARGE */
  take(bytes: number): void
  giveBack(bytes: number): void
  readonly taken: number
}

export function createByteBudget(limitBytes: number): ByteBudget {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > limitBytes) {
        throw new Failure(
          'INPUT_TOO_LARGE',
          `the inputs do not fit the working disk of ${megabytes(limitBytes)} MB`,
        )
      }
      taken += bytes
    },
    giveBack(bytes) {
      taken -= bytes
    },
    get taken() {
      return taken
    },
  }
}
