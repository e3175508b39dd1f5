import { expect } from 'chai'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MediaFacts } from '../../common/gateway/messages.ts'
import { heifItem } from '../../runner-image/contents/heif-item.ts'
import { readingFile } from '../../runner-image/contents/read-bytes.ts'
import { tileGraphArgv } from '../../runner-image/transfer/attempt/tile-graph.ts'
import { exifOf, jpegWithExif, webpWithExif } from './compose-exif.ts'
import { clap, codedPicture, composeHeif, irot, withTracks } from './compose-heif.ts'
import type { CodedPicture, ComposedHeif } from './compose-heif.ts'
import { useSupervised } from './runner/use-runner.ts'

const encoders = {
  heic: ['-c:v', 'libx265', '-x265-params', 'log-level=error'],
  avif: ['-c:v', 'libaom-av1', '-cpu-used', '8'],
} as const
const picture = 'testsrc2=d=1:s=128x96'

/** Pictures as cameras and phones write them, which FFmpeg cannot write. */
describe('facts of a picture', () => {
  const supervised = useSupervised()
  let probes = 0
  const atWork = (file: string) => path.join(supervised.container.job, 'work', file)

  for (const [orientation, width, height] of [
    [1, 128, 96],
    [3, 128, 96],
    [4, 128, 96],
    [5, 96, 128],
    [6, 96, 128],
    [7, 96, 128],
    [8, 96, 128],
  ] as const) {
    it(`the facts are ${width} by ${height} pixels for the orientation ${orientation} of a JPEG and a WebP`, async () => {
      const exif = exifOf(orientation, orientation % 2 === 0 ? 'MM' : 'II')
      const jpeg = jpegWithExif(await made('upright.jpg', []), exif)
      const webp = webpWithExif(await made('upright.webp', []), exif, 128, 96)
      expect(await factsOf('turned.jpg', jpeg)).to.include({ width, height, file_type: 'image' })
      expect(await factsOf('turned.webp', webp)).to.include({ width, height, file_type: 'image' })
    })
  }

  it('the facts of a JPEG are as FFmpeg itself turns it when it converts it', async () => {
    await factsOf('phone.jpg', jpegWithExif(await made('upright.jpg', []), exifOf(6)))
    expect(await supervised.run(['-i', 'phone.jpg', 'upright.png'])).to.include({ code: 0 })
    const converted = await factsOf('upright.png', await readFile(atWork('upright.png')))
    expect(converted).to.include({ width: 96, height: 128 })
  })

  for (const brand of ['heic', 'avif'] as const) {
    const mime_type = `image/${brand}`
    const kind = { mime_type, file_format: brand, file_type: 'image', duration: null } as const

    it(`the facts of an ${brand} of tiles are of the whole grid, without what lies beyond its size`, async () => {
      const grid = await tiles(brand)
      const facts = await factsOf(`tiles.${brand}`, composeHeif(grid))
      expect(facts).to.include({ ...kind, width: 250, height: 190, frame_rate: null })
    })

    it(`the facts of a picture are turned as the ${brand} says`, async () => {
      const grid = await tiles(brand)
      for (const [quarters, width, height] of [
        [1, 190, 250],
        [2, 250, 190],
        [3, 190, 250],
      ] as const) {
        const turned = composeHeif({ ...grid, changes: [irot(quarters)] })
        expect(await factsOf(`turned.${brand}`, turned)).to.include({ ...kind, width, height })
      }
      const one = { ...grid, pictures: grid.pictures.slice(0, 1), columns: 1, size: grid.tile }
      const turned = composeHeif({ ...one, changes: [irot(1)] })
      expect(await factsOf(`one.${brand}`, turned)).to.include({ ...kind, width: 96, height: 128 })
    })

    it(`the facts are those of the whole where the tiles of an ${brand} are joined`, async () => {
      const grid = await tiles(brand)
      await writeFile(atWork(`joined.${brand}`), composeHeif({ ...grid, changes: [irot(3)] }))
      const item = readingFile(atWork(`joined.${brand}`), heifItem)
      if (item === null) throw new Error('no item')
      const argv = tileGraphArgv(item, `joined.${brand}`, 'joined.png')
      expect(await supervised.run(argv)).to.include({ code: 0 })
      const facts = await factsOf('joined.png', await readFile(atWork('joined.png')))
      expect(facts).to.include({ width: 190, height: 250, mime_type: 'image/png' })
      // The colours of the tiles, turned clockwise by a quarter: the lower left one comes first.
      const scaled = ['-i', 'joined.png', '-vf', 'crop=180:240:0:0,scale=2:2:flags=area']
      const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'joined.raw']
      expect(await supervised.run([...scaled, ...raw])).to.include({ code: 0 })
      const colours = [...(await readFile(atWork('joined.raw')))].map((value) => value > 127)
      const [red, green, blue] = [
        [true, false, false],
        [false, true, false],
        [false, false, true],
      ]
      expect(colours).to.deep.equal([...blue, ...red, true, true, true, ...green])
    })

    it(`the facts are cropped as the ${brand} says, which FFmpeg refuses to read`, async () => {
      const cropped = composeHeif({ ...(await tiles(brand)), changes: [clap(200, 100), irot(1)] })
      const facts = await factsOf(`cropped.${brand}`, cropped)
      expect(facts).to.include({ ...kind, width: 100, height: 200 })
    })

    it(`the facts are of an ${brand} by its content, not by its name`, async () => {
      const facts = await factsOf('named.jpg', composeHeif(await tiles(brand)))
      expect(facts).to.include({ ...kind, width: 250 })
    })
  }

  it('the facts of an AVIF with sound and a still item in front are those of its moving track', async () => {
    const streams = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=d=1', '-shortest']
    const run = await supervised.run([...streams, ...encoders.avif, 'sounding.mp4'])
    expect(run).to.include({ code: 0 })
    const { pictures, ...grid } = await tiles('avif')
    const one = { ...grid, pictures: pictures.slice(0, 1), columns: 1, size: grid.tile }
    const avif = withTracks(composeHeif(one), await readFile(atWork('sounding.mp4')))
    expect(await factsOf('sounding.avif', avif)).to.include({
      file_type: 'image',
      mime_type: 'image/avif',
      codec: 'av1',
      frame_rate: 25,
      width: 128,
      height: 96,
      is_varying_frame_rate: false,
    })
    expect((await factsOf('sounding.avif', avif)).duration).to.be.closeTo(1, 0.05)
  })

  it('the facts of a HEIC with a sequence are those of the sequence', async () => {
    const frames = ['-r', '10', '-f', 'lavfi', '-i', `${picture}:r=10`, '-pix_fmt', 'yuv420p']
    const run = await supervised.run([...frames, ...encoders.heic, 'sequence.mp4'])
    expect(run).to.include({ code: 0 })
    const { pictures, ...grid } = await tiles('heic')
    const one = { ...grid, pictures: pictures.slice(0, 1), columns: 1, size: grid.tile }
    const heic = withTracks(composeHeif(one), await readFile(atWork('sequence.mp4')))
    expect(await factsOf('sequence.heic', heic)).to.include({
      file_type: 'image',
      mime_type: 'image/heic',
      duration: 1,
      frame_rate: 10,
      width: 128,
      height: 96,
      codec: 'hevc',
      is_varying_frame_rate: false,
    })
  })

  async function made(
    file: string,
    options: readonly string[],
    frames: readonly string[] = ['-frames:v', '1'],
  ): Promise<Buffer> {
    const source = ['-f', 'lavfi', '-i', picture]
    const run = await supervised.run([
      ...source,
      ...frames,
      ...options,
      '-pix_fmt',
      'yuv420p',
      file,
    ])
    expect(run).to.include({ code: 0 })
    return readFile(atWork(file))
  }

  /** Two by two of 128 by 96 pixels, of which 250 by 190 are shown. */
  async function tiles(brand: 'heic' | 'avif'): Promise<ComposedHeif> {
    const pictures: CodedPicture[] = []
    for (let index = 0; index < 4; index++) {
      const colour = ['red', 'lime', 'blue', 'white'][index] ?? ''
      const painted = ['-vf', `drawbox=c=${colour}:t=fill`, ...encoders[brand]]
      pictures.push(codedPicture(await made('tile.mp4', painted)))
    }
    return { brand, pictures, columns: 2, tile: [128, 96], size: [250, 190] }
  }

  async function factsOf(file: string, bytes: Buffer): Promise<MediaFacts> {
    await writeFile(atWork(file), bytes)
    const id = `probe-${String((probes += 1))}`
    supervised.client.send({ type: 'probe', id, path: file, depth: 'record' })
    return (await supervised.client.next('probed', id)).facts
  }
})
