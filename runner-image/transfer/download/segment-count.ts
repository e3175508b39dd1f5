/** Counts the segments of all playlists of a command: a playlist of two hours has thousands of files. */
export interface SegmentCount {
  /** More of them are to be fetched. */
  plan(segments: number): void
  fetched(): void
}

/** @param onChange called with the part that is there, 0 to 1 */
export function createSegmentCount(onChange: (fetchedPart: number) => void): SegmentCount {
  let planned = 0
  let fetched = 0
  return {
    plan(segments) {
      planned += segments
    },
    fetched() {
      fetched += 1
      onChange(fetched / planned)
    },
  }
}
