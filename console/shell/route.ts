/** A page of the console. */
export type Route =
  | { readonly page: 'commands'; readonly query: URLSearchParams }
  | { readonly page: 'command'; readonly id: string }
  /** `from`: a command whose request is opened; null: the draft as it is. */
  | { readonly page: 'playground'; readonly from: string | null }
  | { readonly page: QueryPage; readonly query: URLSearchParams }
  | { readonly page: 'unknown'; readonly path: string }

const queryPages = ['files', 'webhooks', 'usage', 'keys', 'settings'] as const
/** A page whose address has no more than its name and a query. */
export type QueryPage = (typeof queryPages)[number]

/**
 * @param base path of the console with a slash at its end; a proxy may add a prefix
 * @param path path of the location
 */
export function routeOf(base: string, path: string, search: string): Route {
  const rest = path.startsWith(base) ? path.slice(base.length).replace(/\/+$/, '') : ''
  const [page = '', id = '', ...more] = rest.split('/')
  if (page === '' || (page === 'commands' && id === '')) {
    return { page: 'commands', query: new URLSearchParams(search) }
  }
  if (page === 'playground' && id === '') {
    return { page: 'playground', from: new URLSearchParams(search).get('from') }
  }
  const simple = queryPages.find((name) => name === page)
  if (simple !== undefined && id === '') {
    return { page: simple, query: new URLSearchParams(search) }
  }
  if (page === 'commands' && more.length === 0) return { page: 'command', id: decoded(id) }
  return { page: 'unknown', path: rest }
}

/** @returns the address of a page, relative to the origin */
export function hrefOf(base: string, route: Exclude<Route, { page: 'unknown' }>): string {
  if (route.page === 'command') return `${base}commands/${encodeURIComponent(route.id)}`
  if (route.page === 'playground') {
    return `${base}playground${route.from === null ? '' : `?from=${encodeURIComponent(route.from)}`}`
  }
  const query = route.query.toString()
  return `${base}${route.page}${query === '' ? '' : `?${query}`}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
