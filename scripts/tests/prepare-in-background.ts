import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Builds the prerequisites of the cluster (Kubernetes, S3 server, helm, images) during the tests that
 * do not need them. A failed build does not end the run: the tests that need it fail and report it.
 */
export function prepareInBackground(): Promise<void> {
  return new Promise((done) => {
    // Lower priority than the tests, which determine the duration of the run while both run.
    const child = spawn('nice', [process.execPath, 'e2e/installation/prepare.ts'], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
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
