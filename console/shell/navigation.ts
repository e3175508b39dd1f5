import { signal } from '@preact/signals'
import { hrefOf, routeOf } from './route.ts'
import type { Route, Target } from './route.ts'

/** `/console/` of this page: the program lies in `assets/` below it, behind any proxy. */
const consoleUrl = new URL('../', import.meta.url)
const base = consoleUrl.pathname
/** Base address of the API, without `/v1`. */
export const apiUrl = new URL('../', consoleUrl).href

const current = () => routeOf(base, location.pathname, location.search)

export const route = signal<Route>(current())

export const href = (target: Target): string => hrefOf(base, target)

/** @param how `replace` for a change of filters, which Back must not undo */
export function go(target: Target, how: 'push' | 'replace' = 'push'): void {
  show(href(target), how)
}

function show(address: string, how: 'push' | 'replace'): void {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', address)
  route.value = current()
  if (how === 'push') scrollTo(0, 0)
}

/** Follows links to pages of the console without loading them anew. */
export function followLinks(): void {
  addEventListener('popstate', () => (route.value = current()))
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.origin !== location.origin) return
    // A line of the log, within the page.
    if (link.hash !== '' && link.pathname === location.pathname) return
    if (!link.pathname.startsWith(base)) return
    event.preventDefault()
    show(link.pathname + link.search, 'push')
  })
}
