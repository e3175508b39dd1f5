import type { CommandWarning } from '../../../common/domain/command-warnings.ts'

/** Warnings of a command's record beside its SUCCESS. */
export interface WarningList {
  /** A code is kept once for each file: the first message, which knows the place. */
  add(warnings: readonly CommandWarning[]): void
  all(): CommandWarning[]
}

export function createWarningList(): WarningList {
  const kept = new Map<string, CommandWarning>()
  return {
    add(warnings) {
      for (const { code, message, alias } of warnings) {
        const key = `${code} ${alias ?? ''}`
        if (kept.has(key) || kept.size >= most) continue
        kept.set(key, { code, message: shortened(message), alias })
      }
    },
    all: () => [...kept.values()],
  }
}

function shortened(message: string): string {
  return message.length <= longest ? message : `${message.slice(0, longest - 1)}…`
}

/** Most warnings that the gateway takes. */
const most = 20
const longest = 500
