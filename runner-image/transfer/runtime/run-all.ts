/**
 * Runs pieces of work side by side. The first that fails aborts the others, and is thrown once all
 * have ended: nothing goes on behind the back of whoever cleans up.
 */
export async function together<T>(
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
