/**
 * Path of an input, relative to the working directory. Only the extension comes from the source
 * (FFmpeg's demuxers read it); the service chooses the rest, so a name cannot lead to another
 * folder.
 */
export function inputPath(alias: string, fileName: string | null): string {
  const extension = /\.([a-z0-9]{1,8})$/.exec(fileName?.toLowerCase() ?? '')?.[1]
  return extension === undefined ? `../in/${alias}` : `../in/${alias}.${extension}`
}

/**
 * Suffix of a font's path: the folder that holds only this font, for options that take a folder of
 * fonts.
 */
export const fontFolderSuffix = '.fonts'
