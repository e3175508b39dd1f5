import type { SingleSubmission } from '../../cli/client/client.ts'

/** A usual transcode, and a GIF in the form of published samples of this API. */
export function sampleCommands(
  inputUrl: string,
): { title: string; submission: SingleSubmission }[] {
  return [
    {
      title: 'transcode',
      submission: {
        input_files: { in_1: inputUrl },
        output_files: { out_1: 'small.mp4' },
        ffmpeg_command:
          '-i {{in_1}} -vf "scale=-2:320" -c:v libx264 -preset veryfast -c:a aac -b:a 96k -movflags +faststart {{out_1}}',
      },
    },
    {
      title: 'gif',
      submission: {
        input_files: { in_1: inputUrl },
        output_files: { out_1: 'preview.gif' },
        ffmpeg_command:
          "-i {{in_1}} -vf select='gt(trunc(t/2),trunc(prev_t/2))',setpts='PTS*0.1',scale=trunc(oh*a/2)*2:320:force_original_aspect_ratio=decrease,pad=trunc(oh*a/2)*2:320:-1:-1 -loop 0 -an -vsync vfr {{out_1}}",
      },
    },
  ]
}
