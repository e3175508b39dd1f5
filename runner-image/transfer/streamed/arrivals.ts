import type { ArrivingInput, FetchedInput } from '../download/fetch-input.ts'

/** Inputs of a command on their way, by alias. */
export interface Arrivals {
  /** The first bytes of an input are there. */
  readonly arrive: (input: ArrivingInput) => void
  readonly arrival: (alias: string) => ArrivingInput | undefined
  setPiped(alias: string, isPiped: boolean): void
  /**
   * The input is being renamed from the name of a part to its own, and cannot be piped from here on.
   * @returns whether it is piped already
   */
  place(alias: string): boolean
  isPlaced(alias: string): boolean
  complete(input: FetchedInput): void
  completed(): FetchedInput[]
  untilWhole(alias: string): Promise<FetchedInput>
  /** Resolves at the next arrival or completion. */
  changed(): Promise<void>
  /** Sum of the sizes that servers declare; received bytes for those that declare none. */
  readonly bytes: () => number
}

export function createArrivals(): Arrivals {
  const arrivals = new Map<string, ArrivingInput>()
  const whole = new Map<string, FetchedInput>()
  const piped = new Set<string>()
  const placed = new Set<string>()
  let next = Promise.withResolvers<void>()

  function notify(): void {
    next.resolve()
    next = Promise.withResolvers()
  }

  return {
    arrive(input) {
      arrivals.set(input.alias, input)
      notify()
    },
    arrival: (alias) => arrivals.get(alias),
    setPiped(alias, isPiped) {
      if (isPiped) piped.add(alias)
      else piped.delete(alias)
    },
    place(alias) {
      placed.add(alias)
      return piped.has(alias)
    },
    isPlaced: (alias) => placed.has(alias),
    complete(input) {
      whole.set(input.alias, input)
      notify()
    },
    completed: () => [...whole.values()],
    async untilWhole(alias) {
      for (;;) {
        const input = whole.get(alias)
        if (input !== undefined) return input
        await next.promise
      }
    },
    changed: () => next.promise,
    bytes: () =>
      [...arrivals].reduce(
        (sum, [alias, { file }]) => sum + (whole.get(alias)?.bytes ?? file.totalBytes ?? file.head),
        0,
      ),
  }
}
