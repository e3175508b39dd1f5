import { spanWords } from '../../common/words/span-words.ts'

export function ageOf(time: string, now: Date): string {
  return spanWords(now.getTime() - Date.parse(time))
}

export function timeTo(time: string, now: Date): string {
  return spanWords(Date.parse(time) - now.getTime())
}
