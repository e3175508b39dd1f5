import { spawn } from 'node:child_process'
import { mkdir, open, readdir, readFile, readlink, rm } from 'node:fs/promises'
import path from 'node:path'
import { hasCode } from './has-code.ts'
import { runCommand } from './run-command.ts'
import { waitFor } from './wait-for.ts'
import { writeFileWhole } from './write-file-whole.ts'

/** After a crash or a reboot a process id may belong to another process; id and start time name one process. */
export interface ProcessRecord {
  readonly pid: number
  readonly started: string
}

export interface DetachedProcess {
  /** Names the record and the log, and marks the process as this group's. */
  readonly name: string
  readonly group: ProcessGroup
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly uid?: number
  readonly gid?: number
}

/** Processes that start and end together: records in FOLDER/pids, logs in FOLDER/log. */
export interface ProcessGroup {
  readonly folder: string
}

/**
 * Starts a process that outlives this one, and records it. A process of the same name must not be running.
 * It also carries the group's folder in its environment: a crash between spawn and record would
 * otherwise leave a process that no later stop knows of.
 */
export async function startDetached(wanted: DetachedProcess): Promise<ProcessRecord> {
  const { name, group, command, args } = wanted
  await mkdir(path.join(group.folder, 'pids'), { recursive: true })
  await mkdir(path.join(group.folder, 'log'), { recursive: true })
  const log = await open(logFile(group, name), 'a')
  try {
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { ...process.env, ...wanted.env, [ownerVariable]: group.folder },
      ...(wanted.cwd === undefined ? {} : { cwd: wanted.cwd }),
      ...(wanted.uid === undefined ? {} : { uid: wanted.uid }),
      ...(wanted.gid === undefined ? {} : { gid: wanted.gid }),
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (cause) =>
        reject(new Error(`could not start ${name}: ${cause.message}`, { cause })),
      )
    })
    child.unref()
    const record = await recordOf(child.pid ?? 0)
    await writeFileWhole(recordFile(group, name), JSON.stringify(record))
    return record
  } finally {
    await log.close()
  }
}

/** Identifies a process that this one knows to be running. */
export async function recordOf(pid: number): Promise<ProcessRecord> {
  return { pid, started: (await startTime(pid)) ?? 'ended at once' }
}

/** The recorded process, if it is still the one that was started. */
export async function runningProcess(
  group: ProcessGroup,
  name: string,
): Promise<ProcessRecord | undefined> {
  const record = await readRecord(recordFile(group, name))
  return record !== undefined && (await isAlive(record)) ? record : undefined
}

export async function isAlive({ pid, started }: ProcessRecord): Promise<boolean> {
  return (await startTime(pid)) === started
}

/** Sends a signal and waits until the process is gone; SIGKILL when it is not gone in time. */
export async function endProcess(
  group: ProcessGroup,
  name: string,
  { signal = 'SIGKILL', graceMs = 10_000 }: { signal?: NodeJS.Signals; graceMs?: number } = {},
): Promise<void> {
  const record = await runningProcess(group, name)
  if (record !== undefined) await end(record, signal, graceMs)
  await rm(recordFile(group, name), { force: true })
}

/** @throws where no such process runs */
export async function signalProcess(
  group: ProcessGroup,
  name: string,
  signal: NodeJS.Signals,
): Promise<void> {
  const record = await runningProcess(group, name)
  if (record === undefined) throw new Error(`${name} does not run`)
  sendSignal(record.pid, signal)
}

/** Ends every process of the group, recorded or found by the mark in its environment (Linux). */
export async function endGroup(group: ProcessGroup): Promise<void> {
  const names = await processNames(group)
  await Promise.all(names.map((name) => endProcess(group, name)))
  const strays = await markedProcesses(group)
  await Promise.all(strays.map((record) => end(record, 'SIGKILL', 10_000)))
}

/** Ends every process whose working folder this is, for those that overwrite the mark in their environment (Linux). */
export async function endProcessesIn(folder: string): Promise<void> {
  const found = await Promise.all(
    (await processIds()).map(async (pid) => {
      const working = await workingFolder(pid)
      const started = working === folder ? await startTime(pid) : undefined
      return started === undefined ? [] : [{ pid, started }]
    }),
  )
  await Promise.all(found.flat().map((record) => end(record, 'SIGKILL', 10_000)))
}

/** Names of processes that were started in a group, ended or not. */
export async function processNames(group: ProcessGroup): Promise<string[]> {
  try {
    const names = await readdir(path.join(group.folder, 'pids'))
    return names.filter((name) => !name.includes('.partial'))
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

/** Direct children of a process (Linux). */
export async function childrenOf(parent: number): Promise<ProcessRecord[]> {
  const found: ProcessRecord[] = []
  for (const pid of await processIds()) {
    const fields = await statFields(pid)
    if (fields !== undefined && Number(fields[1]) === parent) {
      const started = await startTime(pid)
      if (started !== undefined) found.push({ pid, started })
    }
  }
  return found
}

/** The end of a log, for error messages. */
export async function logTail(group: ProcessGroup, name: string, lines = 15): Promise<string> {
  const text = await readFileIfThere(logFile(group, name))
  return `${logFile(group, name)}:\n${text.trimEnd().split('\n').slice(-lines).join('\n')}`
}

export async function end(
  record: ProcessRecord,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<void> {
  sendSignal(record.pid, signal)
  try {
    await waitFor(async () => !(await isAlive(record)), {
      what: `process ${record.pid} to end`,
      timeoutMs: graceMs,
      everyMs: 20,
    })
  } catch (error) {
    if (signal === 'SIGKILL') throw error
    await end(record, 'SIGKILL', 10_000)
  }
}

const ownerVariable = 'CLOUD_FFMPEG_PROCESS_GROUP'

function recordFile(group: ProcessGroup, name: string): string {
  return path.join(group.folder, 'pids', name)
}

function logFile(group: ProcessGroup, name: string): string {
  return path.join(group.folder, 'log', `${name}.log`)
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // gone between the check and the signal
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** Undefined for a process that is gone, or a zombie that its parent has yet to collect. */
async function startTime(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startTimeByPs(pid)
  const fields = await statFields(pid)
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined
  // ticks since boot, so the boot belongs to it
  return `${fields[19]} ${await bootId()}`
}

async function startTimeByPs(pid: number): Promise<string | undefined> {
  try {
    const [state, ...rest] = (await runCommand('ps', ['-o', 'state=,lstart=', '-p', String(pid)]))
      .trim()
      .split(/\s+/)
    return state === undefined || state.startsWith('Z') ? undefined : rest.join(' ')
  } catch {
    // ps ends with 1 when there is no such process
    return undefined
  }
}

/** Fields of /proc/PID/stat after the command name, which may itself hold blanks and parentheses: state, ppid, … */
async function statFields(pid: number): Promise<string[] | undefined> {
  const text = await readFileIfThere(`/proc/${pid}/stat`)
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ')
}

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
}

async function markedProcesses(group: ProcessGroup): Promise<ProcessRecord[]> {
  const mark = `${ownerVariable}=${group.folder}`
  const found: ProcessRecord[] = []
  for (const pid of await processIds()) {
    const environment = await readFileIfThere(`/proc/${pid}/environ`)
    if (pid === process.pid || !environment.split('\0').includes(mark)) continue
    const started = await startTime(pid)
    if (started !== undefined) found.push({ pid, started })
  }
  return found
}

async function workingFolder(pid: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

async function processIds(): Promise<number[]> {
  if (process.platform !== 'linux') return []
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
}

async function readRecord(file: string): Promise<ProcessRecord | undefined> {
  const text = await readFileIfThere(file)
  if (text === '') return undefined
  const parsed: unknown = JSON.parse(text)
  const isRecord =
    typeof parsed === 'object' && parsed !== null && 'pid' in parsed && 'started' in parsed
  if (!isRecord || typeof parsed.pid !== 'number' || typeof parsed.started !== 'string') {
    throw new Error(`${file} is not a process record: remove it`)
  }
  return { pid: parsed.pid, started: parsed.started }
}

async function readFileIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isGone(error)) return ''
    throw error
  }
}

/** Includes what /proc answers for a process that ends while it is read, and for another user's environment. */
function isGone(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')
}
