import pg from 'pg'
import { DatabaseUnavailable } from '../../store/health.ts'

/**
 * Tells "nobody there to ask, try again" from a statement that is wrong. The server's answers are
 * told apart by SQLSTATE (PostgreSQL, appendix A); what is not an answer of the server is a broken,
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
  '28', // password rejected: rotated, and this process reads the new one at its restart
  '3D000', // database does not exist yet
  '40', // rolled back: serialisation failure, deadlock
  '53', // out of connections, memory, disk
  '55P03', // lock not available
  '57', // shutdown, crash, start-up, statement timeout
]
