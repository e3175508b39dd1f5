/**
 * A QuickTime file whose sound lies, by its own words, in another file: the data reference of the
 * sound track is replaced by an alias record with an absolute path (QuickTime File Format, data
 * reference atoms). Its sample offsets then point into that file.
 */
export function referTo(movie: Buffer, target: string): Buffer {
  return rewrite(movie, (track) => track.includes('soun'), target)
}

const parents = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf'])

function rewrite(atoms: Buffer, isWanted: (track: Buffer) => boolean, target: string): Buffer {
  const written: Buffer[] = []
  for (let at = 0; at < atoms.length;) {
    const size = atoms.readUInt32BE(at)
    const kind = atoms.toString('latin1', at + 4, at + 8)
    const whole = atoms.subarray(at, at + size)
    const body = whole.subarray(8)
    if (kind === 'dref') written.push(reference(target))
    else if (!parents.has(kind) || (kind === 'trak' && !isWanted(body))) written.push(whole)
    else written.push(atom(kind, rewrite(body, isWanted, target)))
    at += size
  }
  return Buffer.concat(written)
}

function reference(target: string): Buffer {
  const path = Buffer.from(target)
  const padded = Buffer.alloc(path.length + (path.length % 2))
  path.copy(padded)
  const alias = Buffer.concat([
    // 10 bytes, volume, 12 bytes, file name, 16 bytes, two levels, 16 bytes: all empty
    Buffer.alloc(10 + 28 + 12 + 64 + 16 + 4 + 16),
    number(2, 2), // the absolute path
    number(path.length, 2),
    padded,
    number(0xffff, 2),
    number(0, 2),
  ])
  const entry = atom('alis', Buffer.concat([number(0, 4), alias]))
  return atom('dref', Buffer.concat([number(0, 4), number(1, 4), entry]))
}

function atom(kind: string, body: Buffer): Buffer {
  return Buffer.concat([number(body.length + 8, 4), Buffer.from(kind, 'latin1'), body])
}

function number(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes)
  written.writeUIntBE(value, 0, bytes)
  return written
}
