import type { IncomingHttpHeaders } from 'node:http'

/**
 * The page loads scripts and styles from its own origin alone, shows files of the storage, and has no
 * way to make a script or markup from text (Trusted Types). No other page may frame or open it.
 * @param storageOrigins such as `https://media.example`
 */
export function pageHeaders(storageOrigins: readonly string[]): Record<string, string> {
  const storage = storageOrigins.map((origin) => ` ${origin}`).join('')
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src 'self' data: blob:${storage}`,
      `media-src 'self' blob:${storage}`,
      `connect-src 'self'${storage}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': [
      ...refused.map((feature) => `${feature}=()`),
      ...used.map((feature) => `${feature}=(self)`),
    ].join(', '),
  }
}

/** Browser features of the page: players fill the screen, buttons copy. */
const used = ['fullscreen', 'clipboard-write'] as const

/** Browsers report a name that they do not know, so these are names that all of them have. */
const refused = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
] as const

/** Origins of URLs, each once. @param urls null or empty ones are left out */
export function originsOf(urls: readonly (string | null | undefined)[]): string[] {
  const origins = urls.flatMap((url) =>
    url !== null && url !== undefined && URL.canParse(url) ? [new URL(url).origin] : [],
  )
  return [...new Set(origins)]
}

/**
 * Browsers ignore the policy of openers on plain http, with a warning in the console; the host itself
 * counts as secure. @param headers of the request, where a proxy names its own scheme
 */
export function openerPolicy(headers: IncomingHttpHeaders): Record<string, string> {
  const isLoopback = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
  const scheme = String(headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim()
  return isLoopback || scheme === 'https' ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}
}
