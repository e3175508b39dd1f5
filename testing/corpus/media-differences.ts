/**
 * Compares what ffprobe says of a file that plain FFmpeg wrote and of the service's: streams with
 * their codecs, sizes and formats, numbers of packets, durations within a frame or 1 %, tags and
 * chapters.
 * @returns differences in words; null if either file is not media
 */
export function mediaDifferences(
  plain: string,
  service: string,
  lengthsVary: boolean,
): string[] | null {
  const [before, after] = [describe(plain), describe(service)]
  if (before === null || after === null) return null
  const differences: string[] = []
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [before[key] ?? '-', after[key] ?? '-']
    const mayDiffer = isTime(key) ? lengthsVary || isNear(one, other) : lengthsVary && isCount(key)
    if (one !== other && !mayDiffer) {
      differences.push(`${key}: ${one} in plain FFmpeg, ${other} here`)
    }
  }
  return differences
}

/** Every fact by its path: `streams.0.width`. */
function describe(answer: string): Record<string, string> | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(answer)
  } catch {
    return null
  }
  const facts: Record<string, string> = {}
  addFacts(parsed, '', facts)
  return Object.keys(facts).some((key) => key.startsWith('streams.')) ? facts : null
}

function addFacts(value: unknown, path: string, facts: Record<string, string>): void {
  if (typeof value !== 'object' || value === null) {
    if (!varies(path)) facts[path] = String(value)
    return
  }
  for (const [key, part] of Object.entries(value)) {
    addFacts(part, path === '' ? key : `${path}.${key}`, facts)
  }
}

/** Outputs that the number of threads, the path or the hour change. */
function varies(path: string): boolean {
  const name = path.split('.').at(-1) ?? ''
  return (
    /^(?:filename|size|bit_rate|max_bit_rate|probe_score|extradata_size|creation_time|vbv_delay)$/.test(
      name,
    ) ||
    name.endsWith('_umid') ||
    /side_data_list\.\d+\.(?:max|min|avg)_bitrate/.test(path)
  )
}

function isTime(path: string): boolean {
  return /(?:duration|duration_ts|start_time|start_pts|DURATION)$/.test(path)
}

function isCount(path: string): boolean {
  return /(?:nb_frames|nb_read_packets)$/.test(path)
}

function isNear(one: string, other: string): boolean {
  const [a, b] = [seconds(one), seconds(other)]
  return Math.abs(a - b) <= Math.max(0.01 * Math.abs(a), 0.04)
}

function seconds(text: string): number {
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
