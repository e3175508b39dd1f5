/**
 * Largest spec of a command that holds the whole request; a larger request stays in the row and the
 * spec refers to it. Every status patch writes the whole object again, and etcd keeps all versions for
 * up to ten minutes, so the size of objects decides how fast etcd fills up.
 */
export const largestInlineBytes = 8_192

/**
 * Largest custom resource of a command by dispatch, as etcd stores it: metadata 2 KiB, spec 8 KiB,
 * status 8 KiB, managedFields 4 KiB and 2 KiB in reserve. 1,000 live and 500 finished ones are 36 MB.
 */
export const largestCommandBytes = 24_576

/** Largest status. `status-size.test.ts` proves that no status exceeds it. */
export const largestStatusBytes = 8_192

/** Largest command that dispatch creates: the rest of `largestCommandBytes` is for the API server and the operator. */
export const largestCreatedBytes = 10_240

/** Largest stored file that dispatch creates: its URL has up to 8,192 characters of up to 6 bytes. */
export const largestStoredFileBytes = 65_536

/**
 * Largest command that is created with its whole request while a program runs that cannot read a
 * reference to it.
 */
export const largestWholeBytes = 131_072

/**
 * Largest object that is imported, as kubectl applied it, with its annotations. A page of 100 such
 * objects is 26 MB of JSON, which the operator reads within its memory limit.
 */
export const largestImportedBytes = 262_144

/** An object above this size gets a status patch per phase and no progress. */
export const largeObjectBytes = 65_536

/**
 * Bytes that a JSON value takes in etcd: kube-apiserver stores custom resources as Go's encoding/json
 * writes them, and that writes `<`, `>` and `&` as six bytes each. A body of URLs with many `&` grows
 * sixfold, so its size in UTF-8 says little. `stored-bytes.test.ts` compares with Go's encoder.
 */
export function storedBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).length
  const commas = (entries: number): number => Math.max(0, entries - 1)
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + storedBytes(item), 2 + commas(value.length))
  }
  // JSON has no undefined: such fields are left out of what is sent.
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return fields.reduce(
    (sum, [name, inner]) => sum + textBytes(name) + 1 + storedBytes(inner),
    2 + commas(fields.length),
  )
}

/** Text for people: KB of 1,024 bytes, rounded up. */
export function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1_024)
}

function textBytes(text: string): number {
  let bytes = 2
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) bytes += asciiBytes[unit] ?? 1
    else if (unit < 0x800) bytes += 2
    else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 4
      at += 1
    } else bytes += unit === 0x2028 || unit === 0x2029 ? 6 : 3
  }
  return bytes
}

const asciiBytes = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if ('"\\\n\r\t\b\f'.includes(character)) return 2
  return unit < 0x20 || '<>&'.includes(character) ? 6 : 1
})

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Half a pair alone reaches etcd as U+FFFD, of three bytes. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
