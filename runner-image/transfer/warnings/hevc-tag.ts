import { basename } from 'node:path'
import type { CommandWarning } from '../../../common/domain/command-warnings.ts'
import type { Probed } from '../../link/messages.ts'

/** FFmpeg's muxer writes `hev1` by default; Safari, iOS and QuickTime play `hvc1` alone. */
export function hevcTag(
  { alias, path }: { readonly alias: string; readonly path: string },
  { videoTag }: Pick<Probed, 'videoTag'>,
): CommandWarning[] {
  if (videoTag !== 'hev1') return []
  return [
    {
      code: 'HEVC_TAG',
      message: `${alias} (${basename(path)}) is HEVC with the tag 'hev1', which Apple's players refuse; add -tag:v hvc1`,
      alias,
    },
  ]
}
