import { isPattern, readsPattern } from '../model/name-pattern.ts'
import type { CommandError } from '../model/plan.ts'
import { toCommandError, type SourceRange } from '../model/refusal.ts'
import type { LoneStep } from './step-facts.ts'

/** Files that a command of a chain has written under a pattern, for later ones alone. */
export type WrittenPattern = { command: number; range: SourceRange; isRead: boolean }

/** Notes which patterns a step reads, and then which it writes itself. */
export function handOn(
  { files, readsList }: LoneStep,
  command: number,
  patterns: Map<string, WrittenPattern>,
): void {
  for (const [pattern, written] of patterns) {
    const isNamed = files.some(
      ({ path, access }) => access === 'read' && readsPattern(path, pattern),
    )
    // A list of files may name any of them.
    written.isRead ||= isNamed || readsList
  }
  for (const { path, access, range } of files) {
    if (access !== 'write' || range === null || !isPattern(path)) continue
    patterns.set(path, { command, range, isRead: false })
  }
}

/** A pattern is never stored, so that one without a reader would be lost without a word. */
export function unreadPatterns(
  patterns: ReadonlyMap<string, WrittenPattern>,
  sources: readonly string[],
): CommandError[] {
  return Array.from(patterns.values(), ({ command, range, isRead }) =>
    isRead
      ? []
      : toCommandError(
          { type: 'command_alias', range, sentence: withoutReader },
          sources[command] ?? '',
          command,
        ),
  ).flat()
}

function withoutReader(place: string): string {
  return `${place} is a pattern that no later command reads, and a chain stores the files of output_files alone; read it in a later command under the same name, or send this command by itself with "output_files": "OUTPUT_FOLDER"`
}
