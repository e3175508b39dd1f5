import { signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'

/** Wall time in ms, which moves each second while the tab is visible. */
export const now = signal(browserEffects.clock.wall().getTime())

function tick(): void {
  if (document.visibilityState === 'visible') now.value = browserEffects.clock.wall().getTime()
  browserEffects.clock.schedule(1_000, tick)
}
tick()
