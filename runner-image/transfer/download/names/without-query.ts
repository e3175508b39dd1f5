/** A URL for messages: queries carry signatures and tokens, and more people than the sender read them. */
export function withoutQuery(text: string): string {
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`
}
