import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * `npm run admin -- accounts list`: the administration of quickstart's installation. On any other
 * cluster: `kubectl exec deploy/RELEASE-api-server -- node main.ts admin accounts list`.
 */
const environment = path.resolve(import.meta.dirname, '../.quickstart/env')
if (!existsSync(environment)) {
  console.error(
    `quickstart is not running: start it with 'npm run quickstart' (${environment} does not exist)`,
  )
  process.exit(1)
}
// A shell sources the file, as users do: it names the cluster and the path of kubectl.
// The pod cannot tell who calls, so the name is sent; without one the action is kept with the pod alone.
const inCluster = `. "$0"
by=$(kubectl auth whoami -o 'jsonpath={.status.userInfo.username}' 2>/dev/null)
exec kubectl -n cloud-ffmpeg exec deploy/cloud-ffmpeg-api-server -- node main.ts admin --by="$by" "$@"`
const args = ['-c', inCluster, environment, ...process.argv.slice(2)]
const child = spawn('/bin/sh', args, { stdio: 'inherit' })
child.once('error', (error) => {
  console.error(`no shell: ${error.message}`)
  process.exitCode = 1
})
child.once('close', (code) => (process.exitCode = code ?? 1))
