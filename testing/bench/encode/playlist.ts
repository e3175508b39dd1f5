/** FFmpeg's options for a playlist with segments of 0.2 s of 8 Mbit/s: 200 KB each. */
export function playlistOptions(segments: number): string[] {
  return [
    ...['-f', 'lavfi', '-i', `testsrc2=duration=${segments / 5}:size=640x360:rate=25`],
    ...['-vf', 'noise=alls=60:allf=t', '-c:v', 'mpeg2video', '-pix_fmt', 'yuv420p', '-g', '5'],
    ...['-b:v', '8M', '-minrate', '8M', '-maxrate', '8M', '-bufsize', '2M'],
    ...['-f', 'hls', '-hls_time', '0.2', '-hls_list_size', '0'],
  ]
}
