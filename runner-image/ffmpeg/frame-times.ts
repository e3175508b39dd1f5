import { createTextLines } from './text-lines.ts'

/** Reads one presentation time a line, as ffprobe's compact writer gives them; N/A is left out. */
export function createTimesReader() {
  const times: number[] = []
  return {
    push: createTextLines((line) => {
      const time = Number.parseInt(line, 10)
      if (Number.isFinite(time)) times.push(time)
    }),
    times: (): readonly number[] => times,
  }
}
