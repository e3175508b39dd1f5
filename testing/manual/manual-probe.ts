import { patienceMs } from '../support/until.ts'
import { CommandFailed, runCommand } from '../../e2e/cluster/host/run-command.ts'

export type GraphKnowledge = {
  /** Those that FFmpeg cannot take apart, or that name a filter it does not know. */
  refusedAmong(graphs: readonly string[]): Promise<string[]>
  /** Those that it takes apart and of which it knows every filter. */
  takenAmong(texts: readonly string[]): Promise<string[]>
}

/**
 * Probes the FFmpeg of an unpacked image. It takes a whole graph apart before it finds its filters,
 * in their order; so when a filter that does not exist, behind all others, is the one it misses, the
 * graph was understood.
 */
export function probeGraphKnowledge(root: string): GraphKnowledge {
  return { refusedAmong, takenAmong }

  /** Many are one graph to FFmpeg, and starting it is what takes the time. */
  async function refusedAmong(graphs: readonly string[]): Promise<string[]> {
    if (graphs.length === 0 || (await isTaken(graphs.map(withoutEnd).join(';')))) return []
    if (graphs.length === 1) return [...graphs]
    const half = Math.ceil(graphs.length / 2)
    return [
      ...(await refusedAmong(graphs.slice(0, half))),
      ...(await refusedAmong(graphs.slice(half))),
    ]
  }

  async function takenAmong(texts: readonly string[]): Promise<string[]> {
    const taken: string[] = []
    const waiting = texts.values()
    const worker = async (): Promise<void> => {
      for (const text of waiting) if (await isTaken(withoutEnd(text))) taken.push(text)
    }
    await Promise.all([worker(), worker()])
    return taken
  }

  async function isTaken(graph: string): Promise<boolean> {
    return (await errorsOf(`${graph},${missing}`)).includes(`No such filter: '${missing}'`)
  }

  async function errorsOf(graph: string): Promise<string> {
    const argv = [
      root,
      '/usr/bin/ffmpeg',
      '-hide_banner',
      '-nostdin',
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=s=16x16:d=0.04',
      '-vf',
      graph,
      '-f',
      'null',
      '-',
    ]
    try {
      return await runCommand('chroot', argv, { timeoutMs: patienceMs })
    } catch (error) {
      if (error instanceof CommandFailed) return error.stderr
      throw error
    }
  }
}

const missing = 'no_such_filter'

/** A separator at the end is allowed, but not two. */
function withoutEnd(graph: string): string {
  return graph.replace(/[,;\s]+$/, '')
}
