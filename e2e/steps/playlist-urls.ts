/**
 * URLs of an HLS manifest and of all that it leads to, as a player would fetch them; of another
 * manifest only its own.
 * @throws where one of them does not answer
 */
export async function playlistUrls(manifest: string): Promise<string[]> {
  const answer = await fetch(manifest)
  if (!answer.ok) throw new Error(`${manifest} answered ${answer.status}`)
  const text = await answer.text()
  if (!manifest.endsWith('.m3u8')) return [manifest]
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const maps = [...text.matchAll(/#EXT-X-MAP:URI="([^"]+)"/g)].map(([, name = '']) => name)
  const found = await Promise.all(
    [...new Set([...lines, ...maps])].map((name) => playlistUrls(new URL(name, manifest).href)),
  )
  return [manifest, ...found.flat()]
}
