/** Family of the font, as long as the name that it replaces. */
export const brandFamily = 'Bran'

/**
 * A font that the image does not have: one of its fonts under another family. A font holds names as UTF-16 and as ASCII,
 * and FreeType does not check their checksum.
 * @param lato bytes of a font of the family Lato
 */
export function brandFont(lato: Buffer): Buffer {
  const font = Buffer.from(lato)
  for (const encode of [utf16, (text: string) => Buffer.from(text, 'latin1')]) {
    const family = encode('Lato')
    for (let at = font.indexOf(family); at !== -1; at = font.indexOf(family, at + 1)) {
      encode(brandFamily).copy(font, at)
    }
  }
  return font
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}
