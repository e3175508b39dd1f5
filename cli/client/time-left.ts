interface Sample {
  readonly percent: number
  readonly atMs: number
}

interface Course {
  readonly first: Sample
  readonly last: Sample
}

/** Two percents that are closer together say little about the speed. */
const leastMs = 5_000

/** Estimates when commands end, from the percents that were seen. */
export function createTimesLeft() {
  const courses = new Map<string, Course>()
  return {
    /** @param percent null: not known, or the command no longer runs */
    note(id: string, percent: number | null, atMs: number): void {
      if (percent === null) return void courses.delete(id)
      const sample = { percent, atMs }
      const known = courses.get(id)
      // Another attempt begins at the front.
      const first = known === undefined || percent < known.last.percent ? sample : known.first
      courses.set(id, { first, last: sample })
    },
    /** "about 40 s left"; null where nothing can be said yet. */
    words(id: string): string | null {
      const course = courses.get(id)
      return course === undefined ? null : wordsOf(course)
    },
  }
}

function wordsOf({ first, last }: Course): string | null {
  const ms = last.atMs - first.atMs
  const percents = last.percent - first.percent
  if (ms < leastMs || percents <= 0) return null
  return timeLeftWords(((100 - last.percent) / percents) * (ms / 1_000))
}

/** "about 40 s left", in steps of 5 s below a minute. */
export function timeLeftWords(seconds: number): string {
  if (seconds < 55) return `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} s left`
  if (seconds < 5_400) return `about ${Math.max(1, Math.round(seconds / 60))} min left`
  return `about ${Math.round(seconds / 3_600)} h left`
}
