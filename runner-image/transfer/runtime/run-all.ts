/**
 * Runs tasks concurrently. The first failure aborts the others and is thrown; the function returns
 * only after all tasks settled, so cleanup is safe.
 */
export async function runAll<T>(
  signal: AbortSignal,
  work: readonly ((signal: AbortSignal) => Promise<T>)[],
): Promise<T[]> {
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  let failed: { error: unknown } | null = null
  const pieces = work.map(async (piece) => {
    try {
      return await piece(both)
    } catch (error) {
      failed ??= { error }
      stop.abort(error)
      throw error
    }
  })
  await Promise.allSettled(pieces)
  return Promise.all(pieces).catch((error: unknown) => {
    throw failed === null ? error : failed.error
  })
}
