import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

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

/** An empty folder for each test. @returns the path of a file in it */
export function useFolder(): (...names: string[]) => string {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  return (...names) => path.join(folder, ...names)
}

/** The reason for which a promise rejects; null if it resolves. */
export function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  )
}
