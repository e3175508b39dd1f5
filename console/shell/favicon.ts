import { dottedIcon } from '../parts/dotted-icon.ts'
import type { ShownState } from '../parts/state.ts'

/** @returns a function that takes the dot away */
export function showFaviconDot(tone: ShownState['tone'] | null): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link === null) return () => undefined
  const plain = link.href
  link.href = dottedIcon(plain, tone)
  return () => {
    link.href = plain
  }
}
