import { readFile } from 'node:fs/promises'

/** Seconds of CPU that a process has used so far, its own and the kernel's for it. */
export async function processSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

const ticksPerSecond = 100
