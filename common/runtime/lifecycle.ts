import type { Logger } from './logger.ts'

/** Something that runs as long as the process does. */
export interface Part {
  readonly name: string
  start(): Promise<void>
  /** Resolves when nothing of it runs any more; called once, also after a failed start. */
  stop(): Promise<void>
}

export interface Lifecycle {
  start(): Promise<void>
  /** Stops what was started, last first. A part that fails to stop does not keep the others running. */
  stop(): Promise<void>
}

export function createLifecycle(parts: readonly Part[], log: Logger): Lifecycle {
  const started: Part[] = []
  let stopping: Promise<void> | undefined
  return {
    async start() {
      for (const part of parts) {
        // A signal during a slow start must not leave later parts running behind a stopped process.
        if (stopping !== undefined) return
        started.push(part)
        await part.start()
        log.debug('started', { part: part.name })
      }
    },
    stop() {
      stopping ??= stopAll(started, log)
      return stopping
    },
  }
}

async function stopAll(started: readonly Part[], log: Logger): Promise<void> {
  for (const part of started.toReversed()) {
    try {
      await part.stop()
      log.debug('stopped', { part: part.name })
    } catch (error) {
      log.error('did not stop cleanly', { part: part.name, error })
    }
  }
}
