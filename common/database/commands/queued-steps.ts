import type { Step } from '../../gateway/messages.ts'

/** The steps of a command that nobody has begun. */
export function queuedSteps(count: number): Step[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    status: 'QUEUED',
    progress_percent: null,
    ffmpeg_command_run_seconds: null,
    exit_code: null,
  }))
}
