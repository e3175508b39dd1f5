import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

/** The number of commands stands first, because the end of the first command may be cut off. */
export function commandWords({ ffmpeg_command, steps_count = 1 }: CommandListItem): string {
  const chain = steps_count > 1 ? `${steps_count} steps: ` : ''
  return `${chain}${ffmpeg_command ?? ''}`
}

export function firstLine(text: string, most: number): string {
  const [line = ''] = text.split('\n')
  return shortened(line, most)
}

export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
