import { watch } from 'node:fs'

export interface WatchedFolder {
  /**
   * Resolves with the next change of an entry; never if the file system does not report changes.
   */
  changed(): Promise<void>
  close(): void
}

/**
 * Reports changes at once, by inotify(7). Best-effort: a node has 128 such watches for all
 * processes of a user, and some file systems report nothing.
 */
export function watchFolder(folder: string): WatchedFolder {
  let next = Promise.withResolvers<void>()
  const close = listen(folder, () => {
    next.resolve()
    next = Promise.withResolvers<void>()
  })
  return { changed: () => next.promise, close }
}

function listen(folder: string, onChange: () => void): () => void {
  try {
    const watcher = watch(folder, onChange)
    watcher.on('error', () => undefined)
    return () => watcher.close()
  } catch {
    return () => undefined
  }
}
