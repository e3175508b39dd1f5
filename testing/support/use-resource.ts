/**
 * Opens a resource before the tests of the `describe` in which this is called, and closes it after
 * them. The members of the returned object can be read in hooks and tests, not earlier.
 */
export function useResource<T extends { close(): unknown }>(open: () => Promise<T>): T {
  let opened: T | null = null
  before(async function () {
    // The first use on a machine builds the server of a resource.
    this.timeout(600_000)
    opened = await open()
  })
  after(() => opened?.close())
  return new Proxy({} as T, {
    get(_target, name) {
      if (opened === null) throw new Error(`${String(name)} must be read in a hook or a test`)
      const member: unknown = Reflect.get(opened, name)
      return member
    },
  })
}
