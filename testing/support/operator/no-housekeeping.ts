import type { Housekeeping } from '../../../operator/controller/housekeeping.ts'

/** Rounds that do nothing: the store of the test has no old data. */
export const noHousekeeping: Housekeeping = {
  sweepFiles: async () => 'drained',
  sweepOrphans: async () => 'drained',
  retention: async () => undefined,
}
