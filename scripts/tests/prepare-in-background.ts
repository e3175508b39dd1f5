import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Builds what machine tests and stories need. A failed build does not end the run: the tests that need it fail and report it.
 *
 * @param what `cluster`, which has the processors for itself, or `images`, beside the tests that need neither
 */
export function prepareInBackground(
  what: 'cluster' | 'images',
  signal: AbortSignal,
): Promise<void> {
  return new Promise((done) => {
    // Lower priority than the tests, which determine the duration of the run while both run.
    const child = spawn('nice', [process.execPath, 'e2e/installation/prepare.ts', what], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      signal,
    })
    child.on('error', (error) => {
      console.error(`preparing: ${error.message}`)
      done()
    })
    child.on('close', (code) => {
      if (code !== 0) console.error(`preparing ended with ${code}`)
      done()
    })
  })
}
