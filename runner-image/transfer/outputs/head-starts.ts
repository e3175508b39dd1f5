import type { Log } from '../report/log.ts'

/** Work that stores outputs before the command has ended. What fails is done again in the end. */
export interface HeadStarts {
  add(work: Promise<void>): void
  /** The command has ended: from now on a failure is one of the attempt. @returns the work under way */
  last(): (() => Promise<void>)[]
  settled(): Promise<void>
}

/** @param signal no failure is excused once it has aborted */
export function createHeadStarts(log: Log, signal: AbortSignal): HeadStarts {
  const tasks = new Set<Promise<void>>()
  let isLast = false
  return {
    add(work) {
      const task = work
        .catch((error: unknown) => {
          if (isLast || signal.aborted) throw error
          log('info', 'output not stored early; storing it after FFmpeg', { error })
        })
        .finally(() => tasks.delete(task))
      tasks.add(task)
      // Only a caller that awaits it gets its error; none does while FFmpeg runs.
      task.catch(() => undefined)
    },
    last() {
      isLast = true
      return [...tasks].map((task) => () => task)
    },
    async settled() {
      await Promise.allSettled(tasks)
    },
  }
}
