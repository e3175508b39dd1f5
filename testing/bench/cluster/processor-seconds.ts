import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Whose processor time it is; `rest`: of processes that do not belong to the installation. */
export const processorUsers = [
  'ffmpeg',
  'ffprobe',
  'supervisor',
  'transfer',
  'operator',
  'api-server',
  'postgres',
  'kubernetes',
  'storage',
  'bench',
  'script',
  'rest',
] as const
export type ProcessorUser = (typeof processorUsers)[number]
export type ProcessorSeconds = ReadonlyMap<string, number>

/**
 * Adds up the processor time (user and system) of an installation's processes on this machine. Wall time says little on a
 * machine that others use; processor time says which process took it from FFmpeg.
 *
 * Processes of others are not read again once they are known: on a machine with hundreds of them that took more of the
 * processor than the transfer that was measured. `rest` is what the whole machine used without ours.
 * @param instance name of the local cluster
 * @returns a function that ends the measurement and returns the seconds by user
 */
export function measureProcessors(instance: string): () => ProcessorSeconds {
  const processes = new Map<string, Tracked>()
  const others = new Set<string>()
  const machineBefore = machineTicks()
  look(true)
  const timer = setInterval(() => look(false), lookEveryMs)
  return () => {
    clearInterval(timer)
    look(false)
    const machine = machineTicks() - machineBefore
    const seconds = new Map<string, number>()
    for (const { user, base, ticks } of processes.values()) {
      seconds.set(user, (seconds.get(user) ?? 0) + (ticks - base) / ticksPerSecond)
    }
    const own = [...seconds].reduce((sum, [user, each]) => sum + (user === 'rest' ? 0 : each), 0)
    return seconds.set('rest', Math.max(0, machine / ticksPerSecond - own))
  }

  function look(isFirst: boolean): void {
    const names = readdirSync('/proc')
    const gone = others.difference(new Set(names))
    for (const name of gone) others.delete(name)
    const found = names.flatMap((name) => (others.has(name) ? [] : (statOf(name) ?? [])))
    const parents = new Map(found.map(({ pid, parent }) => [pid, parent]))
    for (const { pid, started, ticks } of found) {
      const key = `${pid}:${started}`
      const known = processes.get(key)
      // A process that replaces itself by another program is named by its last one.
      if (known === undefined || known.looks < namedWithin) {
        const user = userOf(pid, parents, instance)
        processes.set(key, {
          user,
          ticks,
          base: known?.base ?? (isFirst ? ticks : 0),
          looks: (known?.looks ?? 0) + 1,
        })
      } else if (known.user === 'rest') others.add(String(pid))
      else known.ticks = ticks
    }
  }
}

const lookEveryMs = 200
const namedWithin = 5
/** Linux shows processor times in hundredths of a second on every architecture. */
const ticksPerSecond = 100

interface Tracked {
  readonly user: ProcessorUser
  /** What it had used before the measurement. */
  readonly base: number
  ticks: number
  readonly looks: number
}

/** Ticks of all processors and processes, proc_stat(5): user, nice, system, and interrupts. */
function machineTicks(): number {
  const [line = ''] = (textOf('/proc/stat') ?? '').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return user + nice + system + irq + softirq
}

/** proc_pid_stat(5); null where the process has gone, or the name is not one of a process. */
function statOf(name: string) {
  if (!/^\d+$/.test(name)) return null
  const text = textOf(`/proc/${name}/stat`)
  if (text === null) return null
  // The name of the program, in brackets, may hold any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, started] = [1, 11, 12, 19].map((index) => Number(fields[index]))
  return {
    pid: Number(name),
    parent: parent ?? 0,
    started: started ?? 0,
    ticks: (user ?? 0) + (system ?? 0),
  }
}

function userOf(
  pid: number,
  parents: ReadonlyMap<number, number>,
  instance: string,
): ProcessorUser {
  if (!isOfInstance(pid, parents, instance)) return 'rest'
  const command = commandOf(pid)
  const named = programs.find(([, pattern]) => pattern.test(command))
  if (named !== undefined) return named[0]
  if (/ main\.(ts|mjs)/.test(command))
    return folderOf(pid) === '/app/operator' ? 'operator' : 'api-server'
  return pid === process.pid ? 'bench' : 'kubernetes'
}

const programs: readonly (readonly [ProcessorUser, RegExp])[] = [
  ['transfer', /\/transfer\.mjs/],
  ['supervisor', /\/app\/supervisor\.mjs/],
  ['ffprobe', /\/usr\/bin\/ffprobe/],
  ['ffmpeg', /\/usr\/bin\/ffmpeg/],
  ['storage', /versitygw/],
  ['postgres', /postgres/],
  ['script', /awscli/],
  ['operator', /\/gateway-process\.ts/],
]

function isOfInstance(
  pid: number,
  parents: ReadonlyMap<number, number>,
  instance: string,
): boolean {
  if (pid === process.pid) return true
  const groups = textOf(`/proc/${pid}/cgroup`) ?? ''
  if (new RegExp(`/cloud-ffmpeg-${instance}(-system)?(/|$)`, 'm').test(groups)) return true
  if (commandOf(pid).includes(`/cloud-ffmpeg/${instance}/`)) return true
  const parent = parents.get(pid) ?? 0
  return parent > 1 && isOfInstance(parent, parents, instance)
}

function commandOf(pid: number): string {
  return (textOf(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ')
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
