const [cr, lf] = [13, 10]

/**
 * Searches for the empty line after the head of an answer, in bytes as they come. Lines end in CR LF or in LF.
 * @returns given the next bytes: the index behind the empty line, null if it is not among them
 */
export function createHeadEndFinder(): (bytes: Buffer) => number | null {
  let isLineEmpty = false
  return (bytes) => {
    for (const [index, byte] of bytes.entries()) {
      if (byte === lf && isLineEmpty) {
        isLineEmpty = false
        return index + 1
      }
      if (byte === lf) isLineEmpty = true
      else if (byte !== cr) isLineEmpty = false
    }
    return null
  }
}
