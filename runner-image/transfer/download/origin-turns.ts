/** The downloads of one command by their servers, some of which allow one connection. */
export interface OriginTurns {
  enter(origin: string): Turn
}

export interface Turn {
  /** A try begins. */
  began(): void
  /**
   * A try has failed.
   * @returns resolves at the end of a try of another download from this server; null if none is under way
   */
  others(): Promise<void> | null
  leave(): void
}

interface Download {
  isActive: boolean
  change: PromiseWithResolvers<void> | null
}

export function createOriginTurns(): OriginTurns {
  const byOrigin = new Map<string, Set<Download>>()

  function end(download: Download): void {
    download.isActive = false
    download.change?.resolve()
    download.change = null
  }

  return {
    enter(origin) {
      const all = byOrigin.get(origin) ?? new Set()
      const own: Download = { isActive: false, change: null }
      byOrigin.set(origin, all.add(own))
      return {
        began() {
          own.isActive = true
        },
        others() {
          // Two that wait for each other would never end.
          end(own)
          const active = [...all].filter(({ isActive }) => isActive)
          if (active.length === 0) return null
          return Promise.race(
            active.map((one) => (one.change ??= Promise.withResolvers<void>()).promise),
          )
        },
        leave() {
          all.delete(own)
          end(own)
        },
      }
    },
  }
}
