/**
 * Says which picture was larger than FFmpeg may decode here: `-max_pixels` is an option of the service, so FFmpeg's words
 * about it would lead to FFmpeg's manual.
 * @param tail FFmpeg's last errors, lines joined by `\n`
 * @param aliases the inputs of the step
 * @returns null if no picture was too large
 */
export function largePicture(tail: string, aliases: readonly string[]): string | null {
  const [, width, height, most = ffmpegsOwn] =
    /Picture size (\d+)x(\d+) (?:exceeds specified max pixel count (\d+)|is invalid)/.exec(tail) ??
    []
  const pixelCount = Number(width) * Number(height)
  if (width === undefined || pixelCount <= Number(most)) return null
  const [only, ...others] = aliases
  const subject = only === undefined || others.length > 0 ? 'a picture' : only
  const pixels = millions(pixelCount)
  return `${subject} has ${width} x ${String(height)} pixels (${pixels} million); one picture may have ${millions(Number(most))} million here: send a smaller one, or a higher vcpu_count, whose memory carries more`
}

/** FFmpeg takes no larger picture at all, and calls it invalid (`av_image_check_size2`, libavutil/imgutils.c). */
const ffmpegsOwn = '268000000'

function millions(count: number): string {
  return String(Math.floor(count / 1_000_000))
}
