/** What the REST API would say about a URL in a request. */
export function urlProblem(where: string, text: string): string | null {
  const url = URL.parse(text.trim())
  const scheme = url?.protocol
  if (url === null || (scheme !== 'http:' && scheme !== 'https:') || url.hostname === '') {
    return `${where}: give an absolute http or https URL`
  }
  if (url.username !== '' || url.password !== '') {
    return `${where}: the URL must not hold a user name or password`
  }
  return null
}
