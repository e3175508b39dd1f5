import { expect } from 'chai'
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { relativePlaylists, withRelativeAddresses } from './relative-playlists.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

const folder = 'out_playlist_1'
let ids = 0
const newId = () => `0197a3f1-7c4e-7d11-9a55-${String((ids += 1)).padStart(12, '0')}`
const known = new Set(['index.m3u8', 'index.m3u8.key', '2026/part-000.ts', 'v0/list.m3u8', 'a.ts'])

describe('addresses in a playlist', () => {
  const relative = (text: string, path = 'index.m3u8') =>
    withRelativeAddresses(text, { folder, path, known })

  it('addresses in a playlist name a key from where the playlist lies', () => {
    const key = (address: string) => `#EXT-X-KEY:METHOD=AES-128,URI="${address}",IV=0x01\na.ts\n`
    expect(relative(key(`${folder}/index.m3u8.key`))).to.equal(key('index.m3u8.key'))
    expect(relative(key(`${folder}/index.m3u8.key`), 'v0/list.m3u8')).to.equal(
      key('../index.m3u8.key'),
    )
  })

  it('addresses in a playlist name segments in folders by date', () => {
    expect(relative(`#EXTINF:2,\n${folder}/2026/part-000.ts\r\n`)).to.equal(
      '#EXTINF:2,\n2026/part-000.ts\r\n',
    )
  })

  it('addresses in a playlist stay as they are where they are right, or name nothing that is there', () => {
    const text = `a.ts\n${folder}/gone.ts\nhttps://cdn.example/${folder}/a.ts\n# ${folder}/a.ts\n`
    expect(relative(text)).to.equal(text)
    const nested = new Set([...known, `${folder}/a.ts`])
    expect(
      withRelativeAddresses(`${folder}/a.ts`, { folder, path: 'index.m3u8', known: nested }),
    ).to.equal(`${folder}/a.ts`)
  })
})

describe('the playlists of an output', () => {
  const at = useScratch()
  beforeEach(async () => {
    await mkdir(at(folder, 'v0'), { recursive: true })
  })

  it('the playlists of an output are all made relative, and nothing else is left beside them', async () => {
    await writeFile(at(folder, 'a.ts'), '')
    await writeFile(at(folder, 'index.m3u8'), `${folder}/a.ts\n`)
    await writeFile(at(folder, 'v0', 'list.m3u8'), `${folder}/a.ts\n`)
    await relativePlaylists(at(), folder, newId)
    expect(await readFile(at(folder, 'index.m3u8'), 'utf8')).to.equal('a.ts\n')
    expect(await readFile(at(folder, 'v0', 'list.m3u8'), 'utf8')).to.equal('../a.ts\n')
    expect((await readdir(at(folder))).sort()).to.deep.equal(['a.ts', 'index.m3u8', 'v0'])
  })

  it('rewrites a playlist with the longest name that there is', async () => {
    const name = `${'n'.repeat(250)}.m3u8`
    await writeFile(at(folder, 'a.ts'), '')
    await writeFile(at(folder, name), `${folder}/a.ts\n`)
    await relativePlaylists(at(), folder, newId)
    expect(await readFile(at(folder, name), 'utf8')).to.equal('a.ts\n')
  })

  it('the playlists of an output are not searched for behind links', async () => {
    await writeFile(at('elsewhere.m3u8'), `${folder}/a.ts\n`)
    await writeFile(at(folder, 'a.ts'), '')
    await symlink(at('elsewhere.m3u8'), at(folder, 'index.m3u8'))
    await relativePlaylists(at(), folder, newId)
    expect(await readFile(at('elsewhere.m3u8'), 'utf8')).to.equal(`${folder}/a.ts\n`)
  })
})
