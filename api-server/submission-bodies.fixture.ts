export const mp4Url = 'https://media.example/a.mp4'

export const zip = 'https://media.example/parts.zip'
export const text = (ffmpeg_command: unknown) => ({ ffmpeg_command })
export const input = (url: unknown, alias = 'in_1') => ({ input_files: { [alias]: url } })
export const output = (name: string, alias = 'out_1') => ({
  output_files: { [alias]: name },
  ...text(`-i {{in_1}} {{${alias}}}`),
})
export const metadata = (value: unknown) => ({ metadata: value })
export const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))

export function inputs(count: number, url: unknown = mp4Url) {
  const entries = Array.from({ length: count }, (_, index) => [`in_${index}`, url] as const)
  return { input_files: Object.fromEntries(entries) }
}

export function steps(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `-i {{in_1}} {{out_${index}}}`)
}

export function names(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`out_${index}`, `${index}.mp4`]),
  )
}
