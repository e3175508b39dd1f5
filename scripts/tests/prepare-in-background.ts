import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Builds what the cluster needs (Kubernetes, S3 server, helm, images) beside the tests that do not
 * need it. A failed build does not end the run: the tests that need it then say so themselves.
 */
export function prepareInBackground(): Promise<void> {
  return new Promise((done) => {
    // The tests on the other core decide how long the whole run takes until the build is all that is left.
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
