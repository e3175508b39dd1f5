/** The pages, which pages.ts fills in: the folders that it loads cannot import its list. */
export interface PageNames {}
/** Tests without the list take any name. */
export type PageName = keyof PageNames extends never ? string : keyof PageNames

/** A page of the console, as it is linked to. */
export interface Target {
  readonly page: PageName
  /** One of several, such as a command. */
  readonly id?: string
  readonly query?: URLSearchParams
}

/** A location of the browser; its page may be one that the console does not have. */
export interface Route {
  readonly page: string
  readonly id: string | null
  readonly query: URLSearchParams
}

const firstPage = 'commands'

/**
 * @param base path of the console with a slash at its end; a proxy may add a prefix
 * @param path path of the location
 */
export function routeOf(base: string, path: string, search: string): Route {
  const rest = path.startsWith(base) ? path.slice(base.length).replace(/\/+$/, '') : ''
  const [page = '', id, ...more] = rest.split('/')
  const query = new URLSearchParams(search)
  if (more.length > 0) return { page: rest, id: null, query }
  return { page: page || firstPage, id: id === undefined ? null : decoded(id), query }
}

/** @returns the address of a page, relative to the origin */
export function hrefOf(base: string, { page, id, query }: Target): string {
  const path = id === undefined ? page : `${page}/${encodeURIComponent(id)}`
  const search = query === undefined ? '' : query.toString()
  return `${base}${path}${search === '' ? '' : `?${search}`}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
