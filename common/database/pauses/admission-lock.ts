import type { Query } from '../connection/query.ts'

/** Arbitrary, and no other lock of this program's. */
const admissionLock = 7_130_246

/** Until the end of the transaction no other one admits commands. */
export async function lockAdmission(query: Query): Promise<void> {
  await query('admit_lock', `select pg_advisory_xact_lock(${admissionLock})`)
}
