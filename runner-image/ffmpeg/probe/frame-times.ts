import { createTextLines } from '../run/text-lines.ts'

/** At most so many packets are looked at for their times. */
export const mostTimes = 240

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
