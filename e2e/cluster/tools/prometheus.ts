import { cpus } from 'node:os'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'
import { runGo } from './go.ts'
import { goModule } from './go-module.ts'

const module = 'github.com/prometheus/prometheus'
const commands = ['prometheus', 'promtool'] as const
/** Compiles the service discovery of Kubernetes alone: all of them are most of what there is to compile. */
const tags = 'remove_all_sd,enable_kubernetes_sd'

/** Answers a folder with `prometheus` and `promtool`, from the cache or built. */
export async function prometheusFolder({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return goModule(
    { source: path.join(import.meta.dirname, 'prometheus'), name: 'prometheus', release: module },
    { what: 'Prometheus', usually: '2 to 5 min', settings, say },
    async (cwd, onLine) => {
      const packages = commands.map((command) => `${module}/cmd/${command}`)
      const args = [
        ...['build', '-trimpath', '-tags', tags, '-gcflags=all=-dwarf=false -l'],
        ...['-p', String(cpus().length + 1), '-ldflags', '-s -w', '-o', `${cwd}/`, ...packages],
      ]
      const env = { GOGC: 'off', GOMEMLIMIT: '1GiB' }
      await runGo(args, { cwd, what: 'Prometheus', onLine, env, inBackground: true })
    },
  )
}
