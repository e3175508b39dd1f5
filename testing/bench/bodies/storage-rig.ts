import type { BenchEnvironment } from '../cluster/environment.ts'
import { createCap } from './cap.ts'
import { startCappedOrigin } from './capped-origin.ts'
import type { CappedOrigin } from './capped-origin.ts'
import { startCappedSink } from './capped-sink.ts'
import type { CappedSink } from './capped-sink.ts'
import { createHostPeer } from './host-peer.ts'
import type { HostPeer } from './host-peer.ts'

/** Origin and storage behind lines of known speed, for the installation and for its peers. */
export interface StorageRig {
  readonly host: HostPeer
  readonly origin: CappedOrigin
  readonly sink: CappedSink
  /** MB/s of each direction, all connections together; null = as fast as it goes. */
  cap(megabytesPerSecond: number | null): void
  /**
   * Turns the overlaps of the installation on and off; waits until it is back.
   * @param standbys runners that wait for commands; 0: each command gets a Job of its own
   */
  overlap(form: OverlapForm, standbys: number): Promise<void>
}

export interface OverlapForm {
  readonly inputs: boolean
  readonly outputs: boolean
}

/** Puts the storage of a running installation behind the capped line. */
export async function withStorageRig<T>(
  environment: BenchEnvironment,
  use: (rig: StorageRig) => Promise<T>,
): Promise<T> {
  const { cluster, s3, bucket, settings, say } = environment
  const down = createCap()
  const up = createCap()
  const address = cluster.hostAddress
  const sink = await startCappedSink({ address, behind: s3.endpoint, cap: up })
  const host = await createHostPeer({ s3, bucket, endpoint: sink.endpoint, settings, say })
  const origin = await startCappedOrigin({ address, folder: host.folder, cap: down })
  try {
    return await use({
      host,
      origin,
      sink,
      cap(megabytesPerSecond) {
        for (const cap of [down, up]) cap.change(megabytesPerSecond)
      },
      async overlap(overlap, standbys) {
        const warm = { min: standbys, max: standbys }
        await environment.reconfigure({
          storage: { endpoint: sink.endpoint },
          runner: { overlap, ...requests, warm },
        })
      },
    })
  } finally {
    await environment.reconfigure({})
    await origin.close()
    await host.close()
    await sink.close()
  }
}

/**
 * Commands of two vCPUs run one at a time, so the two cores have room for requests in the chart's proportions. By their
 * requests the kernel decides who waits for a busy core: with those of the tests FFmpeg would wait for every server.
 */
const requests = { cpuRequestPerVcpu: 0.4, transfer: { cpuRequestMillis: null } }
