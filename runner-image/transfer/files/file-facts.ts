import { basename } from 'node:path'
import type { MediaFacts } from '../../../common/gateway/messages.ts'
import { unreadableFacts } from '../../ffmpeg/probe/media-facts.ts'
import type { Probe, Probed } from '../../link/messages.ts'
import { FfmpegContainerLost } from '../runtime/attempt-ended.ts'
import { abortReason } from '../../../common/runtime/effects.ts'
import type { Execution } from '../attempt/execution.ts'

/** Facts of a file; a file that ended the container of its probe counts as unreadable. */
export async function fileFacts(
  execution: Pick<Execution, 'supervisor' | 'log'>,
  path: string,
  depth: Probe['depth'],
  signal: AbortSignal,
): Promise<MediaFacts> {
  try {
    const { facts } = await probed(execution, path, depth, signal)
    return facts
  } catch (error) {
    if (!(error instanceof FfmpegContainerLost)) throw error
    execution.log('warn', 'the file could not be probed', { error })
    return unreadableFacts(basename(path), false)
  }
}

/**
 * A probe may take half a minute; the caller does not wait for it after the work has been stopped.
 */
async function probed(
  { supervisor }: Pick<Execution, 'supervisor'>,
  path: string,
  depth: Probe['depth'],
  signal: AbortSignal,
): Promise<Probed> {
  const stopped = Promise.withResolvers<never>()
  const onAbort = (): void => {
    stopped.reject(abortReason(signal))
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const probing = supervisor.then((connected) => connected.probe(path, depth))
    return await Promise.race([probing, stopped.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
