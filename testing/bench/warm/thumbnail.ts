import { createCap } from '../bodies/cap.ts'
import { startCappedOrigin } from '../bodies/capped-origin.ts'
import { createHostPeer } from '../bodies/host-peer.ts'
import { makeBodySamples } from '../bodies/workloads.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { SingleSubmission } from '../../../cli/client/client.ts'

/** Pictures of a file of 30 MB, which a server on this machine has. */
export interface Thumbnails {
  /** FFmpeg may read the file while it comes. */
  readonly first: SingleSubmission
  /** The file has to be there before FFmpeg seeks in it. */
  readonly afterSeek: SingleSubmission
  close(): Promise<void>
}

export async function prepareThumbnails(environment: BenchEnvironment): Promise<Thumbnails> {
  const { cluster, s3, bucket, settings, say } = environment
  const host = await createHostPeer({ s3, bucket, settings, say, endpoint: s3.endpoint })
  say('making an input of 30 MB (usually 10 to 40 s)')
  await makeBodySamples(host)
  const origin = await startCappedOrigin({
    address: cluster.hostAddress,
    folder: host.folder,
    cap: createCap(),
  })
  const picture = (seek: string): SingleSubmission => ({
    input_files: { in_1: origin.url('body.mp4') },
    output_files: { out_1: 'thumbnail.jpg' },
    ffmpeg_command: `${seek}-i {{in_1}} -frames:v 1 -vf scale=640:-2 {{out_1}}`,
    vcpu_count: 2,
  })
  return {
    first: picture(''),
    afterSeek: picture('-ss 1 '),
    async close() {
      await origin.close()
      await host.close()
    },
  }
}
