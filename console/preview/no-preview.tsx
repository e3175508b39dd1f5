import { Button } from '../controls/button.tsx'
import { attempt } from '../parts/notices.ts'
import { go } from '../shell/navigation.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  readonly file: FileRecord
}

/** A file that browsers cannot play; of a video, a command can make one that they can. */
export function NoPreview({ client, file }: Props) {
  const { storage_url: url, file_type: type } = file
  const make = () =>
    attempt(async () => {
      const { command_id: id } = await client.submit(previewOf(file))
      go({ page: 'commands', id })
      return 'A command that makes a preview was submitted.'
    })
  return (
    <div class="note column dense start">
      <p>Browsers do not play this format. Open it in a player.</p>
      {url !== null && type === 'video' && <Button onClick={make}>Make a preview</Button>}
    </div>
  )
}

/** The plain URL of a stored file is an input, also of a private one. */
function previewOf({ storage_url: url, is_private, file_id }: FileRecord) {
  return {
    input_files: { in_1: (url ?? '').replace(/\?.*$/, '') },
    output_files: { out_1: 'preview.mp4' },
    ffmpeg_command:
      '-i {{in_1}} -vf "scale=-2:\'min(480,ih)\'" -c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac -movflags +faststart {{out_1}}',
    metadata: { preview_of: file_id },
    is_private,
  }
}
