import { expect } from 'chai'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AttackTargets } from '../attack-commands.ts'
import { runCommand } from '../../../local-cluster/host/run-command.ts'
import { installMissing } from '../../../local-cluster/tools/debian-packages.ts'
import { referTo } from './foreign-reference.ts'
import type { Supervised } from '../../ffmpeg/runner/test-runner.ts'

export interface AttackFixtures {
  /** Holds what is in the working folder before each attack. */
  readonly folder: string
  /** Hash of a frame on which nothing was written. */
  readonly emptyFrame: string
}

/** Makes what the commands of the attacks name: media, lists, a file that refers to the secret, a plug-in. */
export async function makeAttackFixtures(
  supervised: Supervised,
  targets: AttackTargets,
): Promise<AttackFixtures> {
  const { job, link } = supervised.container
  const work = path.join(job, 'work')
  const folder = path.join(job, 'in')
  const out = path.join(link, 'out')
  await mkdir(out)
  await chmod(out, 0o777)
  const make = async (command: string): Promise<void> => {
    const exited = await supervised.run(command.split(' '))
    expect(exited.code, `${command}: ${exited.tail}`).to.equal(0)
  }
  await make('-f lavfi -i testsrc2=d=3:s=128x96 -f lavfi -i sine=d=3 -c:v libx264 in.mp4')
  await make('-i in.mp4 -map 0:a -c:a pcm_s16le -f mov plain.mov')
  await writeFile(path.join(work, 'note'), 'a harmless attachment')
  await make('-i in.mp4 -c copy -attach note -metadata:s:t mimetype=text/plain -f matroska att.mkv')
  await make(`-i in.mp4 -vf drawtext=text=:fontfile=${font} -frames:v 1 -f md5 empty.md5`)
  for (const name of ['in.mp4', 'att.mkv']) await cp(path.join(work, name), path.join(folder, name))
  const movie = await readFile(path.join(work, 'plain.mov'))
  await writeFile(path.join(folder, 'dref.mov'), referTo(movie, targets.secret))
  await writeFile(path.join(folder, 'lstc'), targets.secret)
  await buildPlugin(path.join(folder, 'evil.mp4'), targets)
  await make('-i in.mp4 -c copy -f mpegts in.ts')
  await cp(path.join(work, 'in.ts'), path.join(folder, 'in.ts'))
  await mkdir(path.join(folder, 'sub'))
  for (const [name, content] of Object.entries(givenTexts(targets))) {
    await writeFile(path.join(folder, name), content)
  }
  return { folder, emptyFrame: await readFile(path.join(work, 'empty.md5'), 'utf8') }
}

function givenTexts({ host }: AttackTargets): Record<string, string> {
  const playlist = (segment: string): string =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${segment}\n#EXT-X-ENDLIST\n`
  return {
    'in.bin': 'harmless '.repeat(500),
    'sub/a.bin': 'harmless '.repeat(500),
    'notes.txt': 'a note',
    'empty.txt': '',
    'in.srt': '1\n00:00:00,000 --> 00:00:02,000\nwords\n',
    'in.sub': '{0}{9}words\n',
    'in.idx':
      '# VobSub index file, v7\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n',
    'in.m3u8': playlist('in.ts'),
    'web.m3u8': playlist(`http://${host}/a.ts`),
    'x.m3u8': playlist('in.ts'),
    'in.sdp': 'v=0\nm=audio 9 RTP/AVP 0\n',
    'cpl.xml': '<CompositionPlaylist/>',
  }
}

const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'

/** A plug-in under a video's name: its constructor reads and writes wherever it can. */
async function buildPlugin(file: string, targets: AttackTargets): Promise<void> {
  const source = `
    #include <stdio.h>
    #include <sys/stat.h>
    #include <unistd.h>
    __attribute__((constructor)) static void attack(void) {
      char text[64] = "nothing";
      FILE *secret = fopen("${targets.secret}", "r");
      if (secret) fread(text, 1, sizeof text - 1, secret);
      FILE *outside = fopen("${targets.outside}/marker", "w");
      if (outside) fputs(text, outside), fclose(outside);
      FILE *inside = fopen("marker", "w");
      if (inside) fputs(text, inside), fclose(inside);
      symlink("${targets.secret}", "planted-symlink");
      link("${targets.secret}", "planted-link");
      mkfifo("planted-fifo", 0666);
      mknod("planted-socket", S_IFSOCK | 0666, 0);
    }`
  await installMissing(compilerNeeds, () => undefined)
  await runCommand('cc', ['-shared', '-fPIC', '-x', 'c', '-o', file, '-'], { input: source })
}

const compilerNeeds = [
  ['cc', 'gcc'],
  ['/usr/include/stdio.h', 'libc6-dev'],
] as const
