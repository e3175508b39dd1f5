import path from 'node:path'
import { stat } from 'node:fs/promises'
import type { HostPeer } from './host-peer.ts'

/** Makes what B1's commands read, 30 MB each: noise, because a test picture is next to nothing. */
export async function makeBodySamples(host: HostPeer): Promise<void> {
  await host.ffmpeg([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25:duration=30'],
    ...['-f', 'lavfi', '-i', 'sine=duration=30', '-vf', 'noise=alls=40:allf=t'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ...['-b:v', '7500k', '-maxrate', '7500k', '-minrate', '7500k', '-bufsize', '3000k'],
    'DIR/body.ts',
  ])
  await host.ffmpeg(['-i', 'DIR/body.ts', '-c', 'copy', '-movflags', '+faststart', 'DIR/body.mp4'])
}

/** In bytes. */
export async function sizeOf(host: HostPeer, name: string): Promise<number> {
  return (await stat(path.join(host.folder, name))).size
}
