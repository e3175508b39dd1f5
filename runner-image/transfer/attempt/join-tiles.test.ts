import { expect } from 'chai'
import { readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { composeHeif } from '../../../testing/ffmpeg/compose-heif.ts'
import { attemptFixture } from '../../../testing/runner/attempt-fixture.ts'
import type { AttemptFixture } from '../../../testing/runner/attempt-fixture.ts'
import { startHttp } from '../../../testing/runner/servers.ts'

/** A picture of four tiles, each of which is any bytes. */
const photo = composeHeif({
  brand: 'heic',
  pictures: Array.from({ length: 4 }, () => ({
    configuration: Buffer.from('\0\0\0\u0009hvcC\u0001', 'latin1'),
    bytes: Buffer.from('tile'),
  })),
  columns: 2,
  tile: [512, 512],
  size: [1000, 700],
})

describe('an input that is a picture of tiles', () => {
  let fixture: AttemptFixture
  let origin: Awaited<ReturnType<typeof startHttp>>
  beforeEach(async () => {
    fixture = await attemptFixture()
    origin = await startHttp((_request, response) => response.end(photo))
  })
  afterEach(async () => {
    await fixture.cleanUp()
    await origin.close()
  })

  /** @returns the arguments of each run of FFmpeg */
  async function runs(
    command: string,
    isJoined: boolean | 'by a link',
    maxPixels = 64_000_000,
  ): Promise<(string | undefined)[]> {
    const seen: (readonly string[])[] = []
    const { published } = await fixture.attempt(
      {
        async run({ argv }) {
          seen.push(argv)
          const made = join(fixture.root, 'work', argv.at(-1) ?? '')
          if (argv.some((text) => text.includes('xstack'))) {
            if (isJoined === false) return { code: 1 }
            if (isJoined === 'by a link') {
              await symlink('/etc/hostname', made)
              return { code: 0 }
            }
          }
          await writeFile(made, 'picture')
          return { code: 0 }
        },
      },
      {
        commands: [command],
        inputs: [{ alias: 'in_1', url: `${origin.url}/photo.heic`, stored: null }],
        outputs: { out_1: 'o.png' },
        limits: {
          fileBytes: null,
          scratchBytes: 1024 ** 3,
          fileCount: 10,
          maxPixels,
          transferSeconds: 60,
        },
      },
    )
    expect(published.map(({ path }) => path)).to.deep.equal(['o.png'])
    return seen.map((argv) => argv[argv.indexOf('-i') + 1])
  }

  it('a picture of tiles is read as one picture, which is joined before the command', async () => {
    const read = await runs('-i {{in_1}} {{out_1}}', true)
    expect(read).to.deep.equal(['../in/in_1.heic', '../in/in_1.heic.png'])
    expect(await readFile(join(fixture.root, 'in/in_1.heic.png'), 'utf8')).to.equal('picture')
    expect(await readdir(join(fixture.root, 'work'))).to.deep.equal(['o.png'])
  })

  it('a picture of tiles is read as it is where a link stands for the joined picture', async () => {
    const read = await runs('-i {{in_1}} {{out_1}}', 'by a link')
    expect(read).to.deep.equal(['../in/in_1.heic', '../in/in_1.heic'])
    expect(await readdir(join(fixture.root, 'in'))).to.deep.equal(['in_1.heic'])
  })

  it('a picture of tiles is read as it is where its tiles cannot be joined', async () => {
    const read = await runs('-i {{in_1}} {{out_1}}', false)
    expect(read).to.deep.equal(['../in/in_1.heic', '../in/in_1.heic'])
  })

  it('a picture of tiles is read as it is by a command that names its streams', async () => {
    const command = '-i {{in_1}} -filter_complex [0:0][0:1]hstack {{out_1}}'
    expect(await runs(command, true)).to.deep.equal(['../in/in_1.heic'])
  })

  it('a picture of tiles is read as it is where the memory does not suffice to join it', async () => {
    const pixels = 1000 * 700
    expect(await runs('-i {{in_1}} {{out_1}}', true, pixels)).to.deep.equal(['../in/in_1.heic'])
  })
})
