import { isIP } from 'node:net'

/**
 * Why a URL is refused before anything is resolved, as the end of a sentence about the URL; null
 * where it may be tried. Applies to every hop of a redirect.
 */
export function urlRefusal(url: URL): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'is neither http nor https'
  if (url.username !== '' || url.password !== '') return 'holds a user name or password'
  const port = portOf(url)
  if (port !== 80 && port !== 443 && port < 1024) {
    return `uses port ${String(port)}; 80, 443 and ports above 1023 are open`
  }
  return isIP(hostOf(url)) === 0 && isInternalName(hostOf(url)) ? notPublic : null
}

/** Words to users about a refused name or address: not which machine it would have reached. */
export const notPublic = 'is not at a public address'

/** Without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** Names that only mean something inside a cluster or a cloud: there a search list would help. */
function isInternalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return !name.includes('.') || /(^|\.)(localhost|svc|cluster\.local|internal|local)$/.test(name)
}
