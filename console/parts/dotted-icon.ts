import type { ShownState } from './state.ts'

/** Colours of `style/tokens.css` for light pages: the icon does not know the scheme of the browser's tabs. */
const colours: Readonly<Record<ShownState['tone'], string>> = {
  muted: '#55606d',
  accent: '#0a5fc4',
  good: '#17713a',
  bad: '#bf1f2b',
}

const end = encodeURIComponent('</svg>')

/**
 * The icon of the page with a dot in the colour of a state, so that a tab in the background shows it.
 * @param icon SVG as a `data:` URL
 */
export function dottedIcon(icon: string, tone: ShownState['tone'] | null): string {
  if (tone === null) return icon
  const dot = `<circle cx="11.5" cy="11.5" r="4" fill="${colours[tone]}" stroke="#fff" stroke-width="1.5"/>`
  return icon.replace(end, `${encodeURIComponent(dot)}${end}`)
}
