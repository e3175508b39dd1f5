/** A case of a list with the judgement on it. */
export interface Verdict {
  readonly name: string
  /** Differences, in words; rejects when the case could not be judged. */
  readonly found: Promise<string[]>
}

/** Begins at once, one case at a time for each worker; the verdicts are in the order of the cases. */
export function judgeInTurns<Case extends { readonly name: string }, Worker>(
  cases: readonly Case[],
  workers: readonly Worker[],
  judge: (each: Case, worker: Worker) => Promise<string[]>,
): Verdict[] {
  const verdicts = cases.map((each) => ({ each, ...Promise.withResolvers<string[]>() }))
  for (const { promise } of verdicts) promise.catch(() => undefined)
  const waiting = verdicts.values()
  for (const worker of workers) void work(worker)
  return verdicts.map(({ each, promise }) => ({ name: each.name, found: promise }))

  async function work(worker: Worker): Promise<void> {
    for (const { each, resolve, reject } of waiting) {
      try {
        resolve(await judge(each, worker))
      } catch (error) {
        reject(error)
      }
    }
  }
}
