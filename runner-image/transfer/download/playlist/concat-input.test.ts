import { expect } from 'chai'
import { fetchFixture } from '../../../../testing/runner/fetch-fixture.ts'
import type { FetchLimits } from '../../../../testing/runner/fetch-fixture.ts'
import { serveFiles } from '../../../../testing/runner/odd-servers.ts'
import { useFixture } from '../../../../testing/support/scratch.ts'

const asList = { concat: ['in_1'] }

describe('a list of files as an input', () => {
  const fixture = useFixture(fetchFixture)

  it('a list of files has local names for what it names, and its other lines as they are', async () => {
    const origin = await serve({ '/b/two.mp4': 'two', '/one.mp4?x=1': 'one' })
    const list = `# clips\nfile '${origin}/one.mp4?x=1'\nduration 2.5\ninpoint 1\n\n\tfile ${origin}/b/two.mp4\r\noutpoint 3\n`
    const input = await fetched(list)
    expect(input).to.include({ path: '../in/in_1.ffconcat', fileName: 'list.txt', bytes: 6 })
    const text = await local()
    expect(text).to.match(
      /^# clips\nfile '(in_1\.\d\.mp4)'\nduration 2\.5\ninpoint 1\n\nfile '(in_1\.\d\.mp4)'\noutpoint 3\n$/,
    )
    expect(await contents()).to.deep.equal(['one', 'two'])
  })

  it('a list of files is known by its first line without -f concat', async () => {
    const origin = await serve({ '/a.mp4': 'a' })
    const url = await serve({ '/x': `\ufeffffconcat version 1.0\nfile ${origin}/a.mp4\n` })
    const [input] = await fixture.fetch(`${url}/x`)
    expect(input?.path).to.equal('../in/in_1.ffconcat')
    expect(await local()).to.equal("ffconcat version 1.0\nfile 'in_1.1.mp4'\n")
  })

  it('a list of files is a text as any other where the command does not read it as a list', async () => {
    const url = await serve({ '/words.txt': 'file a.mp4\n' })
    const [input] = await fixture.fetch(`${url}/words.txt`)
    expect([input?.path, fixture.requests.length]).to.deep.equal(['../in/in_1.txt', 1])
  })

  it('names files by apostrophes and backslashes, as FFmpeg reads them', async () => {
    const origin = await serve({ "/it's%20on.mp4": 'a', '/b%20c.mp4': 'b', '/d%20e.mp4': 'd' })
    const lines = [
      `'${origin}/it'\\''s on.mp4'`,
      `${origin}/b\\ c.mp4`,
      `'${origin}'/d' 'e.mp4 # the end`,
    ]
    await fetched(lines.map((name) => `file ${name}`).join('\n'))
    expect(await contents()).to.deep.equal(['a', 'b', 'd'])
  })

  it('a list of files has relative names beside it, after redirects', async () => {
    const files = {
      '/l/list.txt': 'file a.mp4\nfile sub/b.mp4',
      '/l/a.mp4': 'a',
      '/l/sub/b.mp4': 'b',
    }
    const url = await fixture.origin(serveFiles(files, { '/go': '/l/list.txt' }))
    await fixture.fetch(`${url}/go`, asList)
    expect(await contents()).to.deep.equal(['a', 'b'])
  })

  for (const written of ["'{{in_2}}'", '{{in_2}}', '{{ in_2 }}', "'{{ in_2 }}'"]) {
    it(`a list of files has the local name of another input for ${written}`, async () => {
      const origin = await serve({ '/clip.mov': 'clip', '/a.mp4': 'a' })
      const list = `file ${origin}/a.mp4\nfile ${written}\ninpoint 1`
      const url = await serve({ '/list.txt': list })
      await fixture.fetch([`${url}/list.txt`, `${origin}/clip.mov`], asList)
      expect(await local()).to.equal("file 'in_1.1.mp4'\nfile 'in_2.mov'\ninpoint 1")
    })
  }

  it('a list of files may name an input that is a playlist, and one that names it', async () => {
    const media = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n'
    const url = await serve({
      '/one.txt': 'file {{in_2}}\nfile {{in_3}}',
      '/two.txt': 'file {{in_1}}',
      '/x.m3u8': media,
      '/a.ts': 'G',
    })
    await fixture.fetch([`${url}/one.txt`, `${url}/two.txt`, `${url}/x.m3u8`], {
      concat: ['in_1', 'in_2'],
    })
    expect(await local()).to.equal("file 'in_2.ffconcat'\nfile 'in_3.m3u8'")
  })

  it('a list of files has a file once that it names twice', async () => {
    const origin = await serve({ '/a.mp4': 'a' })
    await fetched(`file ${origin}/a.mp4\nfile ${origin}/a.mp4\n`)
    expect(await local()).to.equal("file 'in_1.1.mp4'\nfile 'in_1.1.mp4'\n")
    expect(paths().filter((path) => path === '/a.mp4')).to.have.lengthOf(1)
  })

  it('a list of files has files by the names that their servers give them', async () => {
    const origin = await fixture.origin((_request, response) => {
      response.setHeader('content-disposition', 'attachment; filename="Clip 1.MOV"').end('a')
    })
    await fetched(`file '${origin}/get?id=1'`)
    expect(await local()).to.equal("file 'in_1.1.mov'")
  })

  for (const [line, message] of [
    ['/etc/passwd', "names '/etc/passwd', which is a path of a disk; write the file's URL"],
    ['/home/me/my\\ clip.mp4', 'which is a path of a disk'],
    ['C:\\\\clips\\\\a.mp4', 'which is a path of a disk'],
    ["'C:/clips/a.mp4'", 'which is a path of a disk'],
    ['~/a.mp4', 'which is a path of a disk'],
    ['file:///etc/passwd', 'which is a path of a disk'],
    ['../a.mp4', "names '../a.mp4', which leaves the folder of the list"],
    ['a/../../b.mp4', 'which leaves the folder of the list'],
    ['ftp://h/a.mp4', 'which is neither http nor https'],
    ['concat:a.ts|b.ts', 'which is neither http nor https'],
    ['subfile,,start,0,end,9,,:/etc/passwd', 'which is neither http nor https'],
    ['{{in_2}}.mp4', 'which is more than a placeholder'],
    ['{{in_9}}', 'names {{in_9}}, which is not an input of this command'],
    ['{{in_1}}', 'names {{in_1}}, which is the list itself'],
    ['{{out_1}}', 'which is not an input of this command'],
    ['"https://example.com/a.mp4"', 'FFmpeg knows apostrophes only'],
    ["'https://example.com/a.mp4", 'has an apostrophe without its partner'],
    ['https://example.com/my clip.mp4', "has 'clip.mp4' behind the name"],
    ['', 'names no file'],
    ['https://', 'which is not a URL'],
  ] as const) {
    it(`a list of files is refused with the line where it says file ${line}`, async () => {
      const [status, said] = await refusal(`# one\nfile ${line}\n`)
      expect(status).to.equal('INVALID_INPUT_FILE')
      expect(said)
        .to.match(/^in_1: line 2 of the list /)
        .and.to.contain(message)
    })
  }

  it('a list of files is refused with the line that is not one of a list', async () => {
    expect((await refusal('file a.mp4\nhttps://h/b.mp4'))[1]).to.equal(
      "in_1: line 2 of the list begins with 'https://h/b.mp4', which FFmpeg does not know there; write one line for each, as file 'https://example.com/clip.mp4'",
    )
    expect((await refusal('# nothing\n'))[1]).to.contain('the list names no files; write one line')
  })

  for (const inside of ['http://10.0.0.1/a.mp4', 'http://169.254.169.254/latest/meta-data']) {
    it(`a list of files reaches nothing inside through ${inside}`, async () => {
      const [status, message] = await refusal(`file ${inside}\n`)
      expect(status).to.equal('UNREACHABLE_INPUT_FILE')
      expect(message).to.match(/in line 1, which .*public address/)
    })
  }

  it('names the line of a file that cannot be fetched', async () => {
    const origin = await serve({})
    const url = await serve({ '/list.txt': `\nfile '${origin}/gone.mp4?token=1'` })
    expect(await fixture.refusal(`${url}/list.txt`, asList)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/list.txt names ${origin}/gone.mp4 in line 2, which answered 404 Not Found`,
    ])
  })

  it('names the line of a web page and of a playlist', async () => {
    const origin = await serve({ '/page': '<!doctype html><html>', '/x.m3u8': '#EXTM3U\n' })
    expect((await refusal(`file ${origin}/page`))[1]).to.equal(
      'in_1: line 1 of the list names a web page',
    )
    expect((await refusal(`file ${origin}/x.m3u8`))[1]).to.contain(
      'line 1 of the list names a playlist; declare it in input_files',
    )
  })

  it('counts all files against the largest file of the plan', async () => {
    const origin = await serve({ '/a.mp4': 'a'.repeat(900_000), '/b.mp4': 'b'.repeat(900_000) })
    const list = `file ${origin}/a.mp4\nfile ${origin}/b.mp4`
    expect(await refusal(list, { fileBytes: 1_000_000 })).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_1: the list names over 1 MB, which the plan allows per file',
    ])
  })

  it('a list of files is a text of at most 10 MB', async () => {
    expect(await refusal('\0'.repeat(11_000_000))).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_1: the list is larger than 10 MB',
    ])
  })

  it('names at most 20,000 files', async () => {
    const origin = await serve({ '/a.mp4': 'a' })
    expect(await refusal(`file ${origin}/a.mp4\n`.repeat(20_001))).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_1: the list names more than 20000 files',
    ])
  })

  function serve(files: Readonly<Record<string, string>>): Promise<string> {
    return fixture.origin(serveFiles(files))
  }

  async function fetched(list: string) {
    const url = await serve({ '/list.txt': list })
    const [input] = await fixture.fetch(`${url}/list.txt`, asList)
    return input
  }

  async function refusal(list: string, limits: FetchLimits = {}): Promise<[string, string]> {
    const url = await serve({ '/list.txt': list })
    return fixture.refusal(`${url}/list.txt`, { ...asList, ...limits })
  }

  function paths(): string[] {
    return fixture.requests.map(({ url = '' }) => url)
  }

  async function local(): Promise<string> {
    return (await fixture.stored('in_1.ffconcat')).toString()
  }

  /** Contents of the files that the local list names, in its order. */
  async function contents(): Promise<string[]> {
    const names = [...(await local()).matchAll(/^file '(.*)'$/gm)].map(([, name]) => name ?? '')
    const files = await Promise.all(names.map((name) => fixture.stored(name)))
    return files.map(String)
  }
})
