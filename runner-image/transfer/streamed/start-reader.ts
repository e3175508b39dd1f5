import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { containerStart } from './container-start.ts'
import type { ContainerStart } from './start.ts'

/**
 * Reads as many bytes of a file as its container's detection needs.
 * @returns null if the file no longer exists
 */
export type ReadStart = (path: string, length: number) => Promise<ContainerStart | null>

/** One file at a time: the starts of 200 inputs at once would not fit into `transfer`'s memory. */
export function createStartReader(): ReadStart {
  let last: Promise<unknown> = Promise.resolve()
  return (path, length) => {
    const start = last.then(() => readStart(path, length))
    last = start.catch(() => undefined)
    return start
  }
}

async function readStart(path: string, length: number): Promise<ContainerStart | null> {
  const file = await openIfThere(path)
  if (file === null) return null
  const memory = Buffer.allocUnsafeSlow(length)
  try {
    const { bytesRead } = await file.read(memory, 0, length, 0)
    return containerStart(memory.subarray(0, bytesRead))
  } finally {
    // Released at once: V8 would release it only some hundred MB later.
    memory.buffer.transfer(0)
    await file.close()
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
