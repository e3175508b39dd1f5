import type { Housekeeping } from '../../../operator/controller/housekeeping.ts'

/** For tests whose store has no old data. */
export const noHousekeeping: Housekeeping = {
  sweepFiles: async () => 'drained',
  sweepOrphans: async () => 'drained',
  retention: async () => undefined,
}
