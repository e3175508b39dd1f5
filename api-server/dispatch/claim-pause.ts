/** The claims until now, as far as they decide when the next one is due. */
export interface ClaimState {
  /** There was a notification since the last claim. */
  readonly isNotified: boolean
  /** Claims in a row that followed a notification and found no row. */
  readonly emptyClaims: number
  /** Nearly all slots are taken. */
  readonly isSaturated: boolean
}

export const firstClaim: ClaimState = { isNotified: false, emptyClaims: 0, isSaturated: false }

export function notified(state: ClaimState): ClaimState {
  return { ...state, isNotified: true }
}

export function claiming({ isNotified, emptyClaims, ...state }: ClaimState): ClaimState {
  return { ...state, isNotified: false, emptyClaims: isNotified ? emptyClaims + 1 : 0 }
}

interface Claimed {
  /** Number of rows. */
  readonly rows: number
  /** Whether there are free slots for one full claim. */
  readonly hasRoom: boolean
  /** There may be more rows than these. */
  readonly isFull: boolean
}

export function claimed(state: ClaimState, { rows, isFull, hasRoom }: Claimed): ClaimState {
  const emptyClaims = rows > 0 ? 0 : state.emptyClaims
  return { ...state, emptyClaims, isSaturated: isFull && !hasRoom }
}

interface ClaimPause {
  readonly ms: number
  /** A notification ends the pause. */
  readonly isWoken: boolean
}

/** Pause while nearly all slots are taken, since one statement per free slot would be too many. */
const saturatedMs = 20
/**
 * Pause while notifications lead to no row: the cluster holds as many resources as it may. A claim counts them, so one
 * per submission would take more of the database than the submissions do.
 */
const fullMs = 50
/** The claim before may have taken the row of one notification. */
const mostEmptyClaims = 2

/**
 * @param pollMs until the next poll of an idle dispatcher
 * @returns null: there may be more rows now
 */
export function claimPause(
  state: ClaimState,
  { isFull }: Pick<Claimed, 'isFull'>,
  pollMs: () => number,
): ClaimPause | null {
  if (state.isSaturated) return { ms: saturatedMs, isWoken: true }
  if (state.emptyClaims >= mostEmptyClaims) return { ms: fullMs, isWoken: false }
  return isFull ? null : { ms: pollMs(), isWoken: true }
}
