import type { Reference } from 'swagger-ui-dist/swagger-ui-bundle.js'

/**
 * Shows the call that the address names as `#/TAG/OPERATION`, now and whenever the address changes.
 * @param missing takes the name of a call that does not exist, or null
 */
export function followHash(
  { layoutActions }: Reference,
  missing: (operation: string | null) => void,
): void {
  const follow = (event?: Event) => {
    const [, tag, operation] = decodeURIComponent(location.hash).split('/')
    if (tag === undefined || operation === undefined) return missing(null)
    layoutActions.show(['operations-tag', tag], true)
    layoutActions.show(['operations', tag, operation], true)
    // Swagger UI draws the call in its next turn.
    requestAnimationFrame(() => {
      const call = document.getElementById(`operations-${tag}-${operation}`)
      missing(call === null ? operation : null)
      // A reader who opened the call by its own button sees it already.
      // On a phone the sidebar stays over the page until a reader taps beside it.
      document.querySelector<HTMLElement>('.VPBackdrop')?.click()
      if (call === null || call.contains(document.activeElement)) return
      call.scrollIntoView()
      if (event !== undefined) call.querySelector('button')?.focus({ preventScroll: true })
    })
  }
  addEventListener('hashchange', follow)
  // A link to the present address changes nothing in it, and the sidebar stops its clicks.
  const again = (event: Event) => {
    const link = (event.target as Element).closest('a')
    if (link?.href === location.href) follow(event)
  }
  addEventListener('click', again, { capture: true })
  follow()
}

/** Puts the call that a reader opens into the address, which the sidebar follows. */
export function addressCall([kind, tag, operation]: readonly string[], isShown: boolean): void {
  const hash = `#/${tag}/${operation}`
  if (kind !== 'operations' || !isShown || decodeURIComponent(location.hash) === hash) return
  history.pushState({}, '', hash)
  dispatchEvent(new HashChangeEvent('hashchange'))
}
