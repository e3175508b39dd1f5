import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createTimesLeft } from '../../cli/client/time-left.ts'
import { onEvents } from './live.ts'

const left = createTimesLeft()

/** Notes the percents of all commands while the console is open. @returns a function that ends it */
export function followProgress(): () => void {
  return onEvents((events) => {
    const atMs = browserEffects.clock.monotonicMs()
    for (const { command_id: id, status, progress_percent: percent } of events) {
      left.note(id, status === 'PROCESSING' ? percent : null, atMs)
    }
  })
}

/** "about 40 s left"; empty where nothing can be said. */
export function timeLeft(id: string): string {
  return left.words(id) ?? ''
}
