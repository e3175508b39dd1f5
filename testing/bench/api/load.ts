import { fileURLToPath } from 'node:url'
import { runCommand } from '../../../e2e/cluster/run-command.ts'
import { onCore } from './cores.ts'

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** Each connection sends them one after the other, and begins again. */
  readonly requests: readonly {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }[]
}

export interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly answered: number
}

const script = fileURLToPath(new URL('generate-load.ts', import.meta.url))

/** A closed loop of so many connections, from a core that no server uses. */
export async function load(options: Load): Promise<Measured> {
  const { command, args } = onCore('load', process.execPath, [script, JSON.stringify(options)])
  const { failed, ...measured } = parse(await runCommand(command, args))
  if (failed > 0) throw new Error(`${failed} requests to ${options.url} failed`)
  return measured
}

function parse(text: string): Measured & { failed: number } {
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Measured & { failed: number }
}
