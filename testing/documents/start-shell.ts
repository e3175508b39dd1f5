import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Shell {
  /** Runs a block as if it were pasted: variables stay for the next one. */
  run(text: string): Promise<Ran>
  close(): Promise<void>
}

export interface Ran {
  /** Exit code of the last command of the block that failed; 0 if none did. */
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** A bash for the blocks of a document. */
export function startShell(options: {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: options.folder,
    env: options.env,
    // A group of its own: what a block leaves in the background ends with the shell.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  let changed = Promise.withResolvers<void>()
  const ended = once(child, 'close')
  let hasEnded = false
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    changed.resolve()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
    changed.resolve()
  })
  child.once('close', () => {
    hasEnded = true
    changed.resolve()
  })
  let blocks = 0
  return {
    async run(text) {
      blocks += 1
      output = ''
      errors = ''
      const mark = `end-of-block-${blocks}`
      // Commands must not read the next block from the shell's own input.
      child.stdin.write(
        `failed=0\ntrap 'failed=$?' ERR\n{\n${text}\n} < /dev/null\n` +
          `last=$?\ntrap - ERR\nprintf '\\n%s %s\\n' ${mark} $((last ? last : failed))\n` +
          `printf ${mark} >&2\n`,
      )
      const pattern = new RegExp(`^([^]*)\\n${mark} (\\d+)\\n$`)
      for (;;) {
        const [, printed, code] = pattern.exec(output) ?? []
        // The two pipes are read independently: either mark can arrive first.
        const [failed = '', ...later] = errors.split(mark)
        if (printed !== undefined && later.length > 0) {
          return { code: Number(code), output: printed, errors: failed }
        }
        if (hasEnded) throw new Error(`the shell ended: ${errors}`)
        await changed.promise
        changed = Promise.withResolvers<void>()
      }
    },
    async close() {
      if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, 'SIGTERM')
      // Comes once no process of the group holds the shell's output any more.
      await ended
    },
  }
}
