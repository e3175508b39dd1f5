import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Makes an empty folder before each test of the suite, and removes it after the test, before the hooks that are registered
 * after this call.
 *
 * @returns the absolute path without links, for names in the folder of the current test
 */
export function useScratch(): (...names: string[]) => string {
  let folder = ''
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'scratch-')))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  return (...names) => path.join(folder, ...names)
}

/** Gives each test of the suite a fixture of its own, which hooks and tests alone may read. */
export function useFixture<T extends { cleanUp(): Promise<void> }>(make: () => Promise<T>): T {
  const fixture = {} as T
  beforeEach(async () => {
    Object.assign(fixture, await make())
  })
  afterEach(() => fixture.cleanUp())
  return fixture
}
