/** Lines of an error message: the service joins those of FFmpeg by a bar, since a message has no line breaks. */
export function linesOf(message: string | null): readonly string[] {
  return (message ?? '').split(/\n| \| /).filter((line) => line !== '')
}
