import { NoCluster } from '../cluster/no-cluster.ts'

/**
 * Where this machine lacks what the stories need, they are skipped and counted as not run; in CI
 * that is a failure.
 */
export async function orSkip<T>(context: Mocha.Context, prepare: () => Promise<T>): Promise<T> {
  context.timeout(0)
  try {
    return await prepare()
  } catch (error) {
    if (!(error instanceof NoCluster) || process.env['CI'] !== undefined) throw error
    console.log(`  ${error.message}`)
    return context.skip()
  }
}
