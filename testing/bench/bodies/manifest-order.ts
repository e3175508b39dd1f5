import type { SinkPut } from './capped-sink.ts'

/**
 * A player that finds the manifest finds everything it names.
 * @throws where the manifest was on its way before the last segment had arrived, or segments are missing
 */
export function assertManifestLast(puts: readonly SinkPut[], segments: number): void {
  const manifests = puts.filter(({ path }) => path.endsWith('.m3u8'))
  const parts = puts.filter(({ path }) => path.endsWith('.ts'))
  const [manifest] = manifests
  if (manifest === undefined || manifests.length > 1 || parts.length < segments * 0.9) {
    const counts = `${manifests.length} manifests and ${parts.length} segments`
    throw new Error(`the sink saw ${counts}, expected 1 and about ${segments}`)
  }
  const last = Math.max(...parts.map(({ endedMs }) => endedMs))
  if (manifest.startedMs < last) {
    const early = (last - manifest.startedMs).toFixed(0)
    throw new Error(`the manifest was stored ${early} ms before the last segment had arrived`)
  }
}
