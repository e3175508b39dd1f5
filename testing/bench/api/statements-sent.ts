/** Statements that a server has sent to its database so far, by its own count. */
export async function statementsSent(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('cloudffmpeg_database_seconds_count'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
