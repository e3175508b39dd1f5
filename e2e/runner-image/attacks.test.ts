import { expect } from 'chai'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { Server } from 'node:http'
import path from 'node:path'
import { runCommand } from '../cluster/run-command.ts'
import { installMissing } from '../cluster/tools/debian-packages.ts'
import type { AttackTargets } from '../../common/command-line/attack-commands.fixture.ts'
import { finalArgv } from '../../common/command-line/final-argv.ts'
import { planCommands } from '../../common/command-line/plan-commands.ts'
import { attacksByContent } from './attacks-by-content.ts'
import { attacks } from './attacks.ts'
import type { Attack } from './attacks.ts'
import { referTo } from './foreign-reference.ts'
import { runnerParts, startSupervised } from './test-runner.ts'
import type { RunnerParts, RunningSupervisor } from './test-runner.ts'

/**
 * The sandbox alone, without the parser in front of it. Effects are judged, not exit codes: some of
 * the attacks that achieve nothing end with 0. Each runs without the sandbox as well, because an
 * attack that fails anyway would prove nothing.
 */
const ffmpeg = process.env['ATTACK_FFMPEG'] === 'hardened' ? 'hardened' : 'debian'

describe('an attack by command line', function () {
  this.timeout(1_200_000)
  let parts: RunnerParts
  let host: Server
  let connections = 0
  let knocks = 0
  let ranCode = false
  let targets: AttackTargets

  before(async function () {
    this.timeout(600_000)
    parts = await runnerParts({ ffmpeg })
    // what is no HTTP must not wait for the end of its request
    const impatient = { headersTimeout: 500, connectionsCheckingInterval: 100 }
    host = createServer(impatient, (request, response) => {
      request.resume()
      response.end(canary.repeat(64))
    })
    host.on('connection', () => {
      connections += 1
    })
    await new Promise<void>((resolve) => {
      host.listen(0, '127.0.0.1', resolve)
    })
    const address = host.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const port = String(address.port)
    targets = {
      secret: '/app/secret',
      secretRelative: '../../app/secret',
      outside: '/link/out',
      outsideRelative: '../../link/out',
      host: `127.0.0.1:${port}`,
      hostEscaped: String.raw`127.0.0.1\\:${port}`,
      job: '/job/work',
    }
    await writeFile(path.join(parts.app, 'secret'), `${canary}\n`.repeat(200))
    await writeFile(path.join(parts.app, 'secret.wav'), sound(`${canary}\n`.repeat(200)))
  })
  after(async () => {
    host.closeAllConnections()
    host.close()
    await parts.remove()
  })

  it('reaches nothing outside', async () => {
    expect(await successes('required', all())).to.deep.equal([])
    // mapping a file as code is not fenced: what it does then is
    expect(ranCode).to.equal(ffmpeg === 'debian')
  })

  if (ffmpeg === 'debian') {
    it('of the first fifty would work without the sandbox, but for a few', async () => {
      const first = all().filter(({ name }) => /^[RWNX]\d\d$/.test(name))
      const names = first.map(({ name }) => name)
      const failing = new Set(names).difference(new Set(await successes('off', first)))
      expect([...failing]).to.deep.equal(harmlessAnyway)
    })

    it('is refused, or reaches nothing, where the parser stands in front', async () => {
      const accepted = all().flatMap((attack) => {
        const argv = planned(attack.command)
        return argv === null ? [] : [{ ...attack, argv }]
      })
      expect(accepted.every(({ name }) => name.startsWith('C'))).to.equal(true)
      expect(await successes('required', accepted)).to.deep.equal([])
    })
  }

  function all(): Attack[] {
    return [...attacks(targets), ...attacksByContent(targets, '/app/secret.wav')]
  }

  /** Names of the attacks that reach something outside. */
  async function successes(mode: string, tried: readonly Attack[]): Promise<string[]> {
    await using supervised = await startSupervised(parts, {
      args: ['--sandbox', mode],
      env: { LEAK: canary },
    })
    await supervised.client.next('ready')
    const fixtures = await makeFixtures(supervised, targets)
    const found: string[] = []
    for (const attack of tried) {
      if (await succeeds(supervised, attack, fixtures)) found.push(attack.name)
    }
    return found
  }

  /** Connections of others. One of our own behind them makes sure that they have all been seen. */
  async function visits(): Promise<number> {
    const answered = Promise.withResolvers<void>()
    get(`http://${targets.host}/`, { agent: false }, (response) => {
      response.resume().once('end', () => answered.resolve())
    }).once('error', answered.reject)
    await answered.promise
    knocks += 1
    return connections - knocks
  }

  async function succeeds(
    supervised: RunningSupervisor,
    { name, argv, files = {} }: Attack,
    fixtures: Fixtures,
  ): Promise<boolean> {
    const { client, container } = supervised
    const work = path.join(container.job, 'work')
    const out = path.join(container.link, 'out')
    await emptyFolder(out)
    await emptyFolder(work)
    await cp(fixtures.folder, work, { recursive: true })
    for (const [file, content] of Object.entries(files)) {
      await writeFile(path.join(work, file), content)
    }
    const before = { visits: await visits(), messages: client.received.length }
    await supervised.run(['-loglevel', 'info', ...argv], { seconds: 6 })
    if (name === 'X01') ranCode = (await readdir(work)).includes('marker')
    // links and pipes would be followed by the container that has the network
    const planted = (await readdir(work)).some((each) => each.startsWith('planted'))
    const said = JSON.stringify(client.received.slice(before.messages))
    return (
      planted ||
      said.includes(canary) ||
      (await visits()) > before.visits ||
      (await readdir(out)).length > 0 ||
      (await leaks(work, fixtures))
    )
  }
})

const canary = 'CANARY-5f1c'

/** These fail by themselves in this image. */
const harmlessAnyway = [
  'R05', // the cache protocol finds no folder for its temporary file
  'R09', // the environment is empty, sandbox or not
  'R15', // the error shows a fragment of the file only
  'R16', // a graph has no values from files but those of options
]

interface Fixtures {
  readonly folder: string
  /** Of a frame on which nothing was written. */
  readonly emptyFrame: string
}

async function makeFixtures(
  supervised: RunningSupervisor,
  targets: AttackTargets,
): Promise<Fixtures> {
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

/** The folder itself stays: it belongs to the job's user. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true })
}

async function leaks(work: string, { folder, emptyFrame }: Fixtures): Promise<boolean> {
  const given = new Set(await readdir(folder))
  const entries = await readdir(work, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || given.has(path.relative(work, file).split('/')[0] ?? '')) continue
    const content = await readFile(file, 'latin1')
    if (content.includes(canary)) return true
    // letters that were drawn show in the digest alone
    if (entry.name === 'o.md5' && content !== '' && content !== emptyFrame) return true
  }
  return false
}

/** What FFmpeg would get behind the parser, in the form in which bare names are allowed; null if refused. */
function planned(command: string): string[] | null {
  const result = planCommands({
    commands: [command],
    inputAliases: [],
    outputs: 'OUTPUT_FOLDER',
    inputFolder: true,
    chained: false,
  })
  const step = result.ok ? result.plan.steps[0] : undefined
  if (step === undefined) return null
  return finalArgv(step, { inputPaths: {}, vcpuCount: 1, maxPixels: 1_000_000 })
}

/** A WAV file of 8-bit samples. */
function sound(samples: string): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, Buffer.from(samples)])
}
