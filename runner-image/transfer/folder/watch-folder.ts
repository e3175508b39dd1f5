import { watch } from 'node:fs'

export interface WatchedFolder {
  /** Resolves with the next change of an entry; never where the system does not tell of any. */
  changed(): Promise<void>
  close(): void
}

/**
 * Hears of changes at once, by inotify(7). That is a saving and nothing to rely on: a node has 128
 * such watches for all processes of a user, and some file systems tell of nothing.
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
