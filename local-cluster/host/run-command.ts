import { spawn } from 'node:child_process'

export interface CommandOptions {
  readonly cwd?: string
  /** Added to this process's own. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly uid?: number
  readonly gid?: number
  /** Gets each line of either stream, for progress. */
  readonly onLine?: (line: string) => void
  /** Ends the command with SIGKILL after so many milliseconds. */
  readonly timeoutMs?: number
}

/** A command that could not be started or did not end with 0; its message carries the end of its stderr. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly stderr: string
  constructor(message: string, stderr: string, options?: ErrorOptions) {
    super(message, options)
    this.stderr = stderr
  }
}

/** Runs a command to its end and answers what it wrote to stdout. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const shown = `${command} ${args.join(' ')}`.slice(0, 200)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.uid === undefined ? {} : { uid: options.uid }),
      ...(options.gid === undefined ? {} : { gid: options.gid }),
      ...(options.timeoutMs === undefined
        ? {}
        : { timeout: options.timeoutMs, killSignal: 'SIGKILL' }),
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => {
      stdout.push(chunk)
      report(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.push(chunk)
      report(chunk)
    })
    // a command that ends without reading its input is judged by its exit code, not by the broken pipe
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
    child.once('error', (cause) => {
      reject(new CommandFailed(`${shown}: ${cause.message}`, '', { cause }))
    })
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(stdout).toString())
      const errors = Buffer.concat(stderr).toString()
      const last = (errors || Buffer.concat(stdout).toString()).trimEnd().slice(-2000)
      reject(new CommandFailed(`${shown}: ended with ${signal ?? code}\n${last}`, errors))
    })
    function report(chunk: Buffer): void {
      if (options.onLine === undefined) return
      for (const line of chunk.toString().split('\n')) if (line !== '') options.onLine(line)
    }
  })
}

/** Whether a command can be started and ends with 0. */
export async function succeeds(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<boolean> {
  try {
    await runCommand(command, args, options)
    return true
  } catch (error) {
    if (error instanceof CommandFailed) return false
    throw error
  }
}

/** Narrows what a parser answered to an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
