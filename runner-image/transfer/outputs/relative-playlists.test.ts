import { expect } from 'chai'
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { relativePlaylists, withRelativeAddresses } from './relative-playlists.ts'

const folder = 'out_playlist_1'
const known = new Set(['index.m3u8', 'index.m3u8.key', '2026/part-000.ts', 'v0/list.m3u8', 'a.ts'])

describe('addresses in a playlist', () => {
  const relative = (text: string, path = 'index.m3u8') =>
    withRelativeAddresses(text, { folder, path, known })

  it('name a key from where the playlist lies', () => {
    const key = (address: string) => `#EXT-X-KEY:METHOD=AES-128,URI="${address}",IV=0x01\na.ts\n`
    expect(relative(key(`${folder}/index.m3u8.key`))).to.equal(key('index.m3u8.key'))
    expect(relative(key(`${folder}/index.m3u8.key`), 'v0/list.m3u8')).to.equal(
      key('../index.m3u8.key'),
    )
  })

  it('name segments in folders by date', () => {
    expect(relative(`#EXTINF:2,\n${folder}/2026/part-000.ts\r\n`)).to.equal(
      '#EXTINF:2,\n2026/part-000.ts\r\n',
    )
  })

  it('stay as they are where they are right, or name nothing that is there', () => {
    const text = `a.ts\n${folder}/gone.ts\nhttps://cdn.example/${folder}/a.ts\n# ${folder}/a.ts\n`
    expect(relative(text)).to.equal(text)
    const nested = new Set([...known, `${folder}/a.ts`])
    expect(
      withRelativeAddresses(`${folder}/a.ts`, { folder, path: 'index.m3u8', known: nested }),
    ).to.equal(`${folder}/a.ts`)
  })
})

describe('the playlists of an output', () => {
  let work: string
  beforeEach(async () => {
    work = await mkdtemp(join(tmpdir(), 'playlists-'))
    await mkdir(join(work, folder, 'v0'), { recursive: true })
  })
  afterEach(() => rm(work, { recursive: true }))

  it('are all made relative, and nothing else is left beside them', async () => {
    await writeFile(join(work, folder, 'a.ts'), '')
    await writeFile(join(work, folder, 'index.m3u8'), `${folder}/a.ts\n`)
    await writeFile(join(work, folder, 'v0', 'list.m3u8'), `${folder}/a.ts\n`)
    await relativePlaylists(work, folder)
    expect(await readFile(join(work, folder, 'index.m3u8'), 'utf8')).to.equal('a.ts\n')
    expect(await readFile(join(work, folder, 'v0', 'list.m3u8'), 'utf8')).to.equal('../a.ts\n')
    expect((await readdir(join(work, folder))).sort()).to.deep.equal(['a.ts', 'index.m3u8', 'v0'])
  })

  it('may have the longest name that there is', async () => {
    const name = `${'n'.repeat(250)}.m3u8`
    await writeFile(join(work, folder, 'a.ts'), '')
    await writeFile(join(work, folder, name), `${folder}/a.ts\n`)
    await relativePlaylists(work, folder)
    expect(await readFile(join(work, folder, name), 'utf8')).to.equal('a.ts\n')
  })

  it('are not searched for behind links', async () => {
    await writeFile(join(work, 'elsewhere.m3u8'), `${folder}/a.ts\n`)
    await writeFile(join(work, folder, 'a.ts'), '')
    await symlink(join(work, 'elsewhere.m3u8'), join(work, folder, 'index.m3u8'))
    await relativePlaylists(work, folder)
    expect(await readFile(join(work, 'elsewhere.m3u8'), 'utf8')).to.equal(`${folder}/a.ts\n`)
  })
})
