/** Files that make FFmpeg open others, by the names in them. */

export function playlist(...lines: string[]): string {
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:9']
  return [...head, ...lines, '#EXT-X-ENDLIST', ''].join('\n')
}

/** A list of the concat demuxer. */
export function concatList(file: string, ...options: string[]): string {
  const lines = ['ffconcat version 1.0', `file '${file}'`]
  return [...lines, ...options.map((each) => `option ${each}`), ''].join('\n')
}

export function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">${content}</svg>`
}

/** A document type with an entity `e` that stands for a file. */
export function entityOf(file: string): string {
  return `<!DOCTYPE x [<!ENTITY e SYSTEM "file://${file}">]>`
}

/** An audio session in a real-time protocol. */
export function session(port: string): string {
  return `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${port} RTP/AVP 0\n`
}

/** An IMF asset map whose one asset lies at a path. */
export function assetMap(path: string): string {
  return `<AssetMap><AssetList><Asset><Id>urn:uuid:00000000-0000-0000-0000-000000000000</Id><ChunkList><Chunk><Path>${path}</Path></Chunk></ChunkList></Asset></AssetList></AssetMap>`
}

/** Options with which the demuxer of HLS accepts any name of a segment. */
export const readPlaylist =
  '-allowed_extensions ALL -allowed_segment_extensions ALL -extension_picky 0'
