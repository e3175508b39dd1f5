/** What keeps proxies from holding back or packing an answer that comes in pieces. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}
