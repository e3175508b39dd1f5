import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { Reason } from '../status/reason.ts'

export type Place = Pick<CommandFacts, 'account' | 'kind'>

/** The objects of one account and kind that wait, in order. */
export interface Line {
  readonly account: string
  readonly kind: WorkKind
  readonly waiting: Set<string>
  readonly reason: Reason
  lookMs: number
  waitMs: number
}

/** Lines of objects that wait for room in the queue of their account, by account and kind. */
export interface ImportLines {
  lineOf(place: Place): Line | null
  /** The line that objects of this place join from now on. */
  begin(place: Place, reason: Reason, nowMs: number): Line
  join(line: Line, commandId: string): Reason
  leave(commandId: string): void
  isWaiting(commandId: string): boolean
  /** Lines whose queue has to be read again. */
  due(nowMs: number): Line[]
  /** Number of objects that wait. */
  size(kind: WorkKind): number
}

export const firstWaitMs = 5_000
const longestWaitMs = 60_000

export function createImportLines(): ImportLines {
  const lines = new Map<string, Line>()
  const joined = new Map<string, Line>()
  const lineOf: ImportLines['lineOf'] = (place) => lines.get(keyOf(place)) ?? null

  return {
    lineOf,
    begin({ account, kind }, reason, nowMs) {
      const known = lineOf({ account, kind })
      if (known !== null) return known
      const lookMs = nowMs + firstWaitMs
      const line = {
        account,
        kind,
        waiting: new Set<string>(),
        reason,
        waitMs: firstWaitMs,
        lookMs,
      }
      lines.set(keyOf(line), line)
      return line
    },
    join(line, commandId) {
      line.waiting.add(commandId)
      joined.set(commandId, line)
      return line.reason
    },
    leave(commandId) {
      const line = joined.get(commandId)
      if (line === undefined) return
      line.waiting.delete(commandId)
      joined.delete(commandId)
      if (line.waiting.size === 0) lines.delete(keyOf(line))
    },
    isWaiting: (commandId) => joined.has(commandId),
    due: (nowMs) => [...lines.values()].filter(({ lookMs }) => lookMs <= nowMs),
    size(kind) {
      const own = [...lines.values()].filter((line) => line.kind === kind)
      return own.reduce((sum, { waiting }) => sum + waiting.size, 0)
    },
  }
}

export function keyOf({ account, kind }: Place): string {
  return `${kind} ${account}`
}

/** There was no room: the next look comes after twice the wait. */
export function postpone(line: Line, nowMs: number): void {
  line.lookMs = nowMs + line.waitMs
  line.waitMs = Math.min(longestWaitMs, line.waitMs * 2)
}

/** There was room, and may be more soon. */
export function lookSoon(line: Line, nowMs: number): void {
  line.waitMs = firstWaitMs
  line.lookMs = nowMs + firstWaitMs
}
