const header = {
  size: 64,
  programOffset: 32,
  sectionOffset: 40,
  programSize: 54,
  programCount: 56,
  sectionCount: 60,
  sectionNames: 62,
}

/**
 * A 64-bit ELF program without what is never loaded: symbol tables, debugging information, the
 * sections themselves. Node.js carries 18 MB of it, and `strip` is not on every machine that builds
 * images. The exported symbols that add-ons link to are loaded and stay.
 * @throws if it is not such a program
 */
export function withoutSymbols(program: Buffer): Buffer {
  const isElf = program.length > header.size && program.readUInt32BE(0) === 0x7f454c46
  if (!isElf || program[4] !== 2 || program[5] !== 1) {
    throw new Error('the program must be a little-endian ELF file of 64 bits')
  }
  const first = Number(program.readBigUInt64LE(header.programOffset))
  const size = program.readUInt16LE(header.programSize)
  let end = first
  for (let index = 0; index < program.readUInt16LE(header.programCount); index += 1) {
    const at = first + index * size
    // p_offset and p_filesz of a segment
    const loaded = program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)
    end = Math.max(end, Number(loaded))
  }
  const kept = Buffer.from(program.subarray(0, end))
  kept.writeBigUInt64LE(0n, header.sectionOffset)
  kept.writeUInt16LE(0, header.sectionCount)
  kept.writeUInt16LE(0, header.sectionNames)
  return kept
}
