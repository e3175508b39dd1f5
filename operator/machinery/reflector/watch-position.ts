import { compareVersions } from '../../../common/kubernetes/api-conventions.ts'

/** The place in the API server's history up to which a copy is complete. */
export interface WatchPosition {
  /** null: nothing was listed yet. */
  readonly version: string | null
  /** The place is lost, or a silent stream makes it doubtful: a LIST finds it again. */
  readonly mustList: boolean
  /** When the copy is due to be compared with a LIST of its own version. */
  readonly compareAtMs: number
}

export const noPosition: WatchPosition = { version: null, mustList: true, compareAtMs: 0 }

const minCompareMs = 10 * 60_000
const compareSpreadMs = 5 * 60_000

/** @param random in [0, 1) */
export function afterList(version: string, nowMs: number, random: number): WatchPosition {
  const compareAtMs = nowMs + minCompareMs + random * compareSpreadMs
  return { version, mustList: false, compareAtMs }
}

/** Objects of one stream do not come in the order of their versions. */
export function afterEvent(position: WatchPosition, version: string): WatchPosition {
  const isBehind = position.version === null || compareVersions(version, position.version) > 0
  return isBehind ? { ...position, version } : position
}

/** @throws HistoryRewound */
export function afterBookmark(position: WatchPosition, version: string): WatchPosition {
  if (isRewound(position, version)) throw new HistoryRewound()
  return { ...position, version }
}

/** A version below ours means that the server's history was set back, e.g. by restoring etcd. */
export function isRewound(position: WatchPosition, version: string): boolean {
  return position.version !== null && compareVersions(version, position.version) < 0
}

/** The API server is at an older version than it reported before. */
export class HistoryRewound extends Error {
  constructor() {
    super('the version of the API server went back')
    this.name = 'HistoryRewound'
  }
}
