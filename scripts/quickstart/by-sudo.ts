import { spawn } from 'node:child_process'
import { chown, readdir } from 'node:fs/promises'
import path from 'node:path'
import { dockerAnswers } from '../../local-cluster/host/choose-provider.ts'
import { rootPrefix } from '../../local-cluster/host/root-prefix.ts'
import type { ClusterSettings, Provider } from '../../local-cluster/host/settings.ts'

export interface User {
  readonly wanted: Provider | undefined
  readonly platform: NodeJS.Platform
  readonly root: boolean
  readonly dockerAnswers: () => Promise<boolean>
}

/** Whether the cluster that this user gets is made of processes of root. */
export async function needsRoot({ wanted, platform, root, ...user }: User): Promise<boolean> {
  if (root || platform !== 'linux') return false
  if (wanted !== undefined) return wanted === 'local'
  return !(await user.dockerAnswers())
}

/** Variables that a program of root needs of its user. */
export function keptVariables(environment: NodeJS.ProcessEnv): string[] {
  const kept = Object.entries(environment)
    .filter(([name]) => /^(?:E2E_.*|GO[A-Z]+|(?:https?|no)_proxy)$/i.test(name))
    .map(([name, value = '']) => `${name}=${value}`)
  // Node.js may be anywhere in the path of the user, which on Debian lacks the folders of chroot and iptables.
  return [`PATH=${environment['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`, ...kept]
}

/** Runs this script again by sudo where it needs root, and ends as that ends. */
export async function againAsRoot(settings: ClusterSettings): Promise<void> {
  const { platform, env, execPath, argv } = process
  const root = process.getuid?.() === 0
  if (!(await needsRoot({ wanted: settings.provider, platform, root, dockerAnswers }))) return
  const prefix = await rootPrefix()
  // Without sudo, the choice of the cluster says what helps.
  if (prefix === null) return
  console.log('Namespaces and mounts of a local cluster need root: going on by sudo.')
  // The home of root is another one, and closed to the user who runs the commands of README.md.
  const variables = [...keptVariables(env), `CLOUD_FFMPEG_CACHE=${settings.cacheFolder}`]
  const [sudo = 'sudo', ...options] = prefix
  const args = [...options, 'env', ...variables, execPath, ...argv.slice(1)]
  const child = spawn(sudo, args, { stdio: 'inherit' })
  // The terminal sends Ctrl-C to the child, too, whose end is the end of this process.
  process.on('SIGINT', () => undefined)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  process.exit(code ?? 1)
}

/** Gives a folder to the user who called sudo. */
export async function giveToUser(folder: string): Promise<void> {
  const [user, group] = [process.env['SUDO_UID'], process.env['SUDO_GID']].map(Number)
  if (user === undefined || group === undefined || Number.isNaN(user) || Number.isNaN(group)) return
  for (const name of ['.', ...(await readdir(folder))]) {
    await chown(path.join(folder, name), user, group)
  }
}
