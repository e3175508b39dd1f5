import { withDot } from '../parts/dotted-icon.ts'
import type { ShownState } from '../parts/state.ts'

/** @returns a function that takes the dot away */
export function showDot(tone: ShownState['tone'] | null): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link === null) return () => undefined
  const plain = link.href
  link.href = withDot(plain, tone)
  return () => {
    link.href = plain
  }
}
