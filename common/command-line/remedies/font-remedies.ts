/** Remedy for a font that is not in the image, as the rest of a sentence. */
export const fontRemedy =
  'send the font as an input and write its alias, as {{in_2}}, or name one by font=Sans'

const fileRemedy = 'send the file as an input and write its alias, as {{in_2}}'

/** Names of options with a file, whose drive of Windows may have lost the backslashes behind it. */
const fileKey = /^(?:f|sofa|model)$|file|dir$/
/** Text in front of the ':' of a URL or of a path of Windows. */
const cutAtColon = /^(?:[a-z]|https?|ftp|s3|gs|file)\\?$/i

/**
 * Remedy where the ':' of a URL or a drive has ended the value of a filter's option, as FFmpeg
 * reads it; null where something else did.
 * @param rest what stands behind the colon
 */
export function cutPathRemedy(
  option: { key: string | null; value: string } | undefined,
  rest: string,
): string | null {
  const key = option?.key ?? ''
  const value = option?.value ?? ''
  const isDrive = value.length === 1 && fileKey.test(key)
  if (!cutAtColon.test(value) || (!isDrive && !/^[/\\]/.test(rest))) return null
  return key.startsWith('font') ? fontRemedy : fileRemedy
}
