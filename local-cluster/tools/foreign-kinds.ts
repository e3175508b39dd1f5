import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'
import { cached } from './cached.ts'
import { runGo } from './go.ts'

interface Publisher {
  readonly name: string
  readonly module: string
  readonly version: string
  /** Files of the module with CustomResourceDefinitions of kinds that the chart may render. */
  readonly files: readonly string[]
}

/** The kinds of other projects that the chart may render, by the name of the project. */
const publishers = {
  prometheus: {
    name: 'the Prometheus Operator',
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    files: ['servicemonitors', 'podmonitors', 'prometheusrules'].map(
      (kinds) => `example/prometheus-operator-crd/monitoring.coreos.com_${kinds}.yaml`,
    ),
  },
  gateway: {
    name: 'the Gateway API',
    module: 'sigs.k8s.io/gateway-api',
    version: 'v1.6.3',
    files: ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  },
  certManager: {
    name: 'cert-manager',
    module: 'github.com/cert-manager/cert-manager',
    version: 'v1.21.2',
    files: ['deploy/crds/cert-manager.io_certificates.yaml'],
  },
} satisfies Readonly<Record<string, Publisher>>

export type ForeignKinds = keyof typeof publishers

/** Their CustomResourceDefinitions in YAML, as that project publishes them in its Go module. */
export async function foreignKinds(
  publisher: ForeignKinds,
  options: { readonly settings: ClusterSettings; readonly say: Say },
): Promise<string[]> {
  const { name, module, version, files } = publishers[publisher]
  const what = `fetching the kinds of ${name} ${version}`
  const folder = await cached(
    { key: `${publisher}-kinds-${version}`, what, usually: '5 to 20 s', ...options },
    async (partial, onLine) => {
      await mkdir(partial)
      await writeFile(path.join(partial, 'go.mod'), 'module kinds\n')
      const args = ['mod', 'download', '-json', `${module}@${version}`]
      const found = await runGo(args, { cwd: partial, what: 'A test of the chart', onLine })
      const { Dir } = JSON.parse(found) as { Dir: string }
      for (const file of files) {
        await cp(path.join(Dir, file), path.join(partial, path.basename(file)))
      }
    },
  )
  return Promise.all(files.map((file) => readFile(path.join(folder, path.basename(file)), 'utf8')))
}
