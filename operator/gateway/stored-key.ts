/**
 * The object key in a URL of our own bucket, whatever its signature; null for anybody else's URL.
 * @param bases addresses of the bucket, e.g. `https://cdn.example` or `http://10.0.0.1:9000/bucket`
 */
export function storedKey(url: string, bases: readonly string[]): string | null {
  const target = URL.parse(url)
  if (target === null) return null
  for (const base of bases.map((each) => URL.parse(each))) {
    if (base === null || base.host !== target.host) continue
    const folder = `${base.pathname.replace(/\/+$/, '')}/`
    if (!target.pathname.startsWith(folder)) continue
    const key = decoded(target.pathname.slice(folder.length))
    if (key !== null && /^(public|private)\//.test(key)) return key
  }
  return null
}

function decoded(path: string): string | null {
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    // Not an encoding that we ever made.
    return null
  }
}
