const [cr, lf] = [13, 10]

/**
 * Looks for the empty line behind the head of an answer, in bytes as they come.
 * @returns given the next bytes: the index behind the empty line, null where it is not among them
 */
export function findHeadEnd(): (bytes: Buffer) => number | null {
  let matched = 0
  return (bytes) => {
    for (const [index, byte] of bytes.entries()) {
      if (byte === (matched % 2 === 0 ? cr : lf)) matched++
      else matched = byte === cr ? 1 : 0
      if (matched < 4) continue
      matched = 0
      return index + 1
    }
    return null
  }
}
