import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { prometheusFolder } from '../../local-cluster/tools/prometheus.ts'

/** promtool on files of its own; the first call on a machine builds it, which takes minutes. */
export function usePromtool(): (
  args: readonly string[],
  files: Readonly<Record<string, unknown>>,
  input?: string,
) => Promise<string> {
  let promtool: string
  let folder: string
  before(async () => {
    const built = await prometheusFolder({
      settings: clusterSettings(process.env),
      say: () => undefined,
    })
    promtool = path.join(built, 'promtool')
    folder = await mkdtemp(path.join(tmpdir(), 'promtool-'))
  })
  after(() => rm(folder, { recursive: true }))
  return async (args, files, input = '') => {
    for (const [name, content] of Object.entries(files)) {
      // JSON is YAML.
      await writeFile(path.join(folder, name), JSON.stringify(content))
    }
    return runCommand(promtool, args, { cwd: folder, input })
  }
}
