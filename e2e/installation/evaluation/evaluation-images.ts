import path from 'node:path'
import { buildImage } from '../../../local-cluster/images/build-image.ts'
import type { BuiltImage } from '../../../local-cluster/images/build-image.ts'
import type { ClusterSettings } from '../../../local-cluster/host/settings.ts'
import type { Say } from '../../../local-cluster/host/progress.ts'
import { postgresPackage } from '../../../local-cluster/servers/postgres-binaries.ts'
import { versitygwCommand } from '../../../local-cluster/tools/versitygw.ts'

/** Stand for the public images that `evaluation.database.image` and `evaluation.storage.image` name. */
export async function buildEvaluationImages(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<{ readonly database: BuiltImage; readonly storage: BuiltImage }> {
  const build = (name: string, extra: Readonly<Record<string, string>>): Promise<BuiltImage> =>
    buildImage({
      ...options,
      name: `registry.e2e/evaluation/${name}`,
      dockerfile: path.join(import.meta.dirname, `${name}.Dockerfile`),
      context: import.meta.dirname,
      inputs: [],
      extra,
    })
  // One after the other: two builds in one storage wait for each other's locks.
  const database = await build('database', { native: postgresPackage() })
  const server = path.dirname(await versitygwCommand(options))
  return { database, storage: await build('storage', { server }) }
}
