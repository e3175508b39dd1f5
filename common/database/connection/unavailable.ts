import pg from 'pg'
import { DatabaseUnavailable } from '../../store/health.ts'

/**
 * Separates transient errors of the connection or the server from errors of the statement. Errors of
 * the server are classified by SQLSTATE (PostgreSQL, appendix A); every other error is a broken,
 * refused or timed-out connection.
 */
export function unavailableOr(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !(error instanceof Error)) return error
  if (error instanceof pg.DatabaseError) {
    const passing = transientStates.some((state) => error.code?.startsWith(state) === true)
    return passing ? new DatabaseUnavailable(error) : error
  }
  const ours = [TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind)
  return ours ? error : new DatabaseUnavailable(error)
}

const transientStates = [
  '08', // connection exception
  '25006', // read-only transaction: the old primary of a failover
  '28', // password rejected: rotated, and the file with the new one is not here yet
  '3D000', // database does not exist yet
  '40', // rolled back: serialisation failure, deadlock
  '53', // out of connections, memory, disk
  '55P03', // lock not available
  '57', // shutdown, crash, start-up, statement timeout
]
