import { openRegularFile } from '../runtime/regular-file.ts'

/**
 * Does once, while FFmpeg runs and this process waits, what storing begins with: Node.js loads the
 * modules for it and starts a thread, which a short command would wait for at its end.
 * @param work any path that is there
 */
export async function loadAhead(work: string): Promise<void> {
  const opened = await openRegularFile(work)
  await opened?.handle.close()
}
