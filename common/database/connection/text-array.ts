/** OID of the type `text`. */
const textOid = 25
const headerBytes = 20

/**
 * A parameter of the type `text[]` in PostgreSQL's binary format. As text, each quote and backslash of an element is escaped
 * here and unescaped by the server, and JSON consists of them.
 */
export function textArray(values: readonly (string | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)))
  const bytes = sizes.reduce((sum, size) => sum + 4 + Math.max(0, size), headerBytes)
  const array = Buffer.allocUnsafe(bytes)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(sizes.includes(-1) ? 1 : 0, 4)
  array.writeInt32BE(textOid, 8)
  array.writeInt32BE(values.length, 12)
  array.writeInt32BE(1, 16)
  let at = headerBytes
  for (const [index, value] of values.entries()) {
    at = array.writeInt32BE(sizes[index] ?? -1, at)
    if (value !== null) at += array.write(value, at)
  }
  return array
}
