import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { levelNumber } from '../../../common/command-line/model/log-level.ts'
import { withoutPaths } from '../../failure/readable-line.ts'
import type { EndReason, RunLog } from '../../link/messages.ts'
import { aboutOurOption, isOfLibrary, markedLevel } from './log-level.ts'
import { createLineCutter } from './stderr-lines.ts'

/** FFmpeg's log on its way into a file that the customer stores. */
export interface LogFile {
  push(chunk: Uint8Array): void
  /** Writes the last line; nothing is written afterwards. */
  end(): void
}

/**
 * Writes what FFmpeg itself would have written with the customer's `-loglevel`: without the marks and the
 * lines that come from options of the service, and with aliases in place of its paths. Synchronous, so that
 * FFmpeg waits for a slow disk and no line has to be left out.
 * @param file absolute; FFmpeg cannot make links in its folder, and none is followed
 * @param fileBytes as FFmpeg's own files are bounded; null = no limit
 * @param onFailure once, with why the log is not whole
 * @throws if the file cannot be opened
 */
export function openLogFile(
  file: string,
  log: RunLog,
  fileBytes: number | null,
  onFailure: (reason: EndReason) => void,
): LogFile {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const opened = openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
  const cutter = createLineCutter(longestLine)
  let room = fileBytes ?? Infinity
  let level = 0
  let isOver = false

  return {
    push: (chunk) => write(cutter.push(chunk)),
    end() {
      write(cutter.end())
      isOver = true
      closeSync(opened)
    },
  }

  function write(lines: readonly string[]): void {
    const text = Buffer.from(lines.flatMap(shown).join(''))
    if (isOver || text.length === 0) return
    try {
      for (let at = 0; at < Math.min(text.length, room);) {
        at += writeSync(opened, text, at, Math.min(text.length, room) - at)
      }
      if (text.length > room) fail('file_bytes')
      room -= text.length
    } catch (error) {
      fail(hasCode(error, 'ENOSPC', 'EDQUOT') ? 'free_space' : 'unmeasured')
    }
  }

  function fail(reason: EndReason): void {
    isOver = true
    onFailure(reason)
  }

  function shown(line: string): string[] {
    const found = markedLevel(line)
    // A message of several lines has one mark; libraries write for themselves, at a level of their own.
    if (found !== null) level = levelNumber(found.level)
    const isWanted = level <= log.level || (found === null && isOfLibrary(line))
    const text = found === null || log.isMarked ? line : found.text
    if (!isWanted || found?.message.startsWith(aboutOurOption) === true) return []
    return [`${withoutPaths(text, log.inputPaths)}\n`]
  }
}

/** Metadata of a file can have long lines; more than this is of no use in a log. */
const longestLine = 64 * 1024
