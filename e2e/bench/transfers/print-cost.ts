/** Does it, and prints what it has cost as one line of JSON: the start of the process is not part of it. */
export async function printCost(work: () => Promise<void>): Promise<void> {
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const peakMb = process.resourceUsage().maxRSS / 1024
  console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakMb }))
}
