import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../settings.ts'
import { cached } from './cached.ts'
import { runGo } from './go.ts'
import type { Say } from './progress.ts'

export const kubernetesCommands = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
] as const
export type KubernetesCommand = (typeof kubernetesCommands)[number]

/**
 * Answers a folder with etcd and the Kubernetes components. They are one binary under several names: built together, they
 * share what they have in common, which makes 145 MB instead of 600 and one build of minutes instead of six.
 */
export async function kubernetesFolder({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const [main, mod, sum] = await Promise.all(
    sources.map((name) => readFile(path.join(sourceFolder, name), 'utf8')),
  )
  const version = kubernetesVersion(mod ?? '')
  const hash = createHash('sha256').update(`${main}\0${mod}\0${sum}`).digest('hex').slice(0, 12)
  const key = `kubernetes-${version}-${process.arch}-${hash}`
  const what = `building Kubernetes ${version} and etcd from their Go modules`
  return cached({ key, what, usually: '5 to 8 min', settings, say }, async (partial, onLine) => {
    await mkdir(partial, { recursive: true })
    for (const name of sources) {
      await copyFile(path.join(sourceFolder, name), path.join(partial, name))
    }
    const args = ['build', '-trimpath', '-ldflags', linkerFlags(version), '-o', 'kubernetes', '.']
    await runGo(args, { cwd: partial, what: 'Kubernetes', onLine })
    for (const command of kubernetesCommands) {
      await symlink('kubernetes', path.join(partial, command))
    }
  })
}

/** @throws Error where go.mod does not name the release. */
export function kubernetesVersion(goMod: string): string {
  const version = /^\s*k8s\.io\/kubernetes (v1\.\d+\.\d+)$/m.exec(goMod)?.[1]
  if (version === undefined) throw new Error('go.mod requires no release of k8s.io/kubernetes')
  return version
}

/** Without these the components call themselves v0.0.0, and kubectl and charts compare versions. */
export function linkerFlags(version: string): string {
  const minor = version.split('.')[1]
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  const values = [`gitVersion=${version}`, 'gitMajor=1', `gitMinor=${minor}`, 'gitTreeState=clean']
  return [
    '-s -w',
    ...packages.flatMap((each) => values.map((value) => `-X ${each}.${value}`)),
  ].join(' ')
}

const sourceFolder = path.join(import.meta.dirname, 'kubernetes')
const sources = ['main.go', 'go.mod', 'go.sum'] as const
