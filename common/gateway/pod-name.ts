const podNamePattern =
  /^(?:ffc|sf)-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-([1-9][0-9]{0,3})-[a-z0-9]+$/

/**
 * Reads command and generation of the Job from a pod's name; null for a pod that is not a runner's.
 * Apart from the other names, because the runner loads it: each module costs its start time.
 */
export function parsePodName(name: string): { commandId: string; jobGeneration: number } | null {
  const match = podNamePattern.exec(name)
  if (match === null) return null
  const [, commandId, jobGeneration] = match
  return commandId === undefined || jobGeneration === undefined
    ? null
    : { commandId, jobGeneration: Number(jobGeneration) }
}

const warmRunnerNamePattern = /^(ffw-[0-9a-f]{8}-[1-9][0-9]{0,14})-[a-z0-9]+$/

/** Reads the Job from the name of a warm runner's pod; null for any other pod. */
export function warmRunnerJobOf(podName: string): string | null {
  return warmRunnerNamePattern.exec(podName)?.[1] ?? null
}
