import { patienceMs } from '../../local-cluster/host/wait-for.ts'

/** Option of `kubectl wait`, `delete` and `rollout status`. */
export const kubectlTimeout = `--timeout=${patienceMs / 1_000}s`

/**
 * Polls until the condition holds, for states of a real cluster, which take an unknown time.
 * @param seconds for what takes longer by design
 * @throws after that time, with the last answer, so that a failing story shows what it saw
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  seconds = patienceMs / 1_000,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  let last: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== null && answer !== undefined && answer !== false) return answer
      last = answer
    } catch (error) {
      last = error
    }
    if (performance.now() > end) {
      throw new Error(`${what}: not within ${seconds} s`, { cause: last })
    }
    await new Promise((again) => setTimeout(again, 200))
  }
}
