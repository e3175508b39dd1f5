/**
 * When the runner had a supervisor with a proven sandbox and turned to FFmpeg, from the log of the
 * container `transfer` (a JSON object a line); the spawn follows within a few milliseconds.
 * @throws where the log has no such line
 */
export function readyTime(log: string): Date {
  for (const line of log.split('\n')) {
    if (!line.includes('"ready to run"')) continue
    const entry: unknown = JSON.parse(line)
    if (typeof entry !== 'object' || entry === null || !('timestamp' in entry)) continue
    const time = new Date(String(entry.timestamp))
    if (!Number.isNaN(time.getTime())) return time
  }
  throw new Error(`no line "ready to run" in the log of transfer:\n${log}`)
}
