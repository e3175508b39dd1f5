/**
 * The object key in a URL of our own bucket, with any signature; null for all other URLs.
 * @param bases addresses of the bucket, e.g. `https://cdn.example` or `http://10.0.0.1:9000/bucket`
 */
export function storedKey(url: string, bases: readonly string[]): string | null {
  const target = URL.parse(url)
  if (target === null) return null
  // A store reads `%61` and `a` as the same key, so encoding must not disguise another account's
  // file.
  const path = decoded(target.pathname)
  for (const base of bases.map((each) => URL.parse(each))) {
    if (base === null || hostOf(base) !== hostOf(target)) continue
    const folder = `${decoded(base.pathname).replace(/\/+$/, '')}/`
    if (!path.startsWith(folder)) continue
    const key = path.slice(folder.length)
    if (/^(public|private)\//.test(key)) return key
  }
  return null
}

/** `cdn.example.` is the same host as `cdn.example`: the dot only says that the name is complete. */
function hostOf({ hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port}`
}

function decoded(path: string): string {
  return path.split('/').map(decodedPart).join('/')
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // We never produce this encoding, so it is not a key of ours.
    return part
  }
}
