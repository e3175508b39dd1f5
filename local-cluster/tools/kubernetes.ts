import { symlink } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import { buildQuickly } from './go.ts'
import { goModule, requiredVersion } from './go-module.ts'
import { leaveOut } from './left-out.ts'
import type { Say } from '../host/progress.ts'

export const kubernetesCommands = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
  'helm',
] as const
export type KubernetesCommand = (typeof kubernetesCommands)[number]

/**
 * Answers a folder with etcd, the Kubernetes components and Helm. They are one binary under several names: built together, they
 * share what they have in common, which makes 138 MB instead of 600 and one build of minutes instead of six.
 */
export async function kubernetesFolder({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return goModule(
    { source: path.join(import.meta.dirname, 'kubernetes'), name: 'kubernetes', release },
    { what: 'Kubernetes, etcd and Helm', usually: '4 to 9 min', settings, say },
    async (cwd, onLine, goMod) => {
      const ldflags = linkerFlags(goMod)
      const go = { cwd, what: 'Kubernetes', onLine }
      await buildQuickly({ ...go, output: 'kubernetes', ldflags, flags: await leaveOut(go) })
      for (const command of kubernetesCommands) {
        await symlink('kubernetes', path.join(cwd, command))
      }
    },
  )
}

/** @throws Error where go.mod does not name the release. */
export function kubernetesVersion(goMod: string): string {
  return requiredVersion(goMod, release)
}

/** Without these the components call themselves v0.0.0, and kubectl and charts compare versions. */
export function linkerFlags(goMod: string): string {
  const version = kubernetesVersion(goMod)
  const values = [
    `gitVersion=${version}`,
    'gitMajor=1',
    `gitMinor=${version.split('.')[1]}`,
    'gitTreeState=clean',
  ]
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  const helm = 'helm.sh/helm/v4'
  return [
    '-s -w',
    ...packages.flatMap((each) => values.map((value) => `-X ${each}.${value}`)),
    `-X ${helm}/internal/version.version=${requiredVersion(goMod, helm)}`,
  ].join(' ')
}

const release = 'k8s.io/kubernetes'
