/** A filter of a list, by its name in the address. */
interface Filter<Value> {
  /** Value of an address that does not have the filter. */
  readonly usual: Value
  /** @returns the default if the text is not a value */
  readonly parse: (text: string) => Value
}

/** A filter whose values are the keys of `names`. */
export function oneOf<Name extends string, Usual extends Name | null>(
  names: Readonly<Record<Name, unknown>>,
  usual: Usual,
): Filter<Name | Usual> {
  return { usual, parse: (text) => (Object.hasOwn(names, text) ? (text as Name) : usual) }
}

export const anyText: Filter<string | null> = { usual: null, parse: (text) => text }

/** Number of items on the pages before this one. */
export const offset: Filter<number> = {
  usual: 0,
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0),
}

/** Filters of a list in the address of its page, so that the list can be sent to a colleague. */
export function addressFilters<Filters extends object>(filters: {
  readonly [Name in keyof Filters]: Filter<Filters[Name]>
}) {
  const names = Object.keys(filters) as (keyof Filters & string)[]
  return {
    filtersIn: (query: URLSearchParams): Filters => {
      const values = names.map((name) => {
        const text = query.get(name)
        return [name, text === null ? filters[name].usual : filters[name].parse(text)]
      })
      return Object.fromEntries(values) as Filters
    },
    /** Values that are not the defaults. */
    queryOf: (values: Filters): URLSearchParams => {
      const query = new URLSearchParams()
      for (const name of names) {
        if (values[name] !== filters[name].usual) query.set(name, String(values[name]))
      }
      return query
    },
    /** Whether one of these filters does not have its default. */
    hasAny: (values: Filters, some: readonly (keyof Filters)[]): boolean =>
      some.some((name) => values[name] !== filters[name].usual),
  }
}
