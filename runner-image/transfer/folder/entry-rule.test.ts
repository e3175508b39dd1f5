import { expect } from 'chai'
import { entryVerdict } from './entry-rule.ts'

function verdict(name: string, facts: { mode?: number; encrypted?: boolean } = {}) {
  return entryVerdict({
    name,
    encrypted: facts.encrypted ?? false,
    externalFileAttributes: ((facts.mode ?? 0o100644) << 16) >>> 0,
  })
}

describe('an entry of an archive', () => {
  it('writes an entry of an archive where it says', () => {
    expect(verdict('a/b/ä.png')).to.deep.equal({ kind: 'file', path: 'a/b/ä.png' })
    expect(verdict('a/', { mode: 0o040755 })).to.deep.equal({ kind: 'folder', path: 'a' })
  })
  it('an entry is known by its name when the archive holds no modes', () => {
    expect([verdict('a/', { mode: 0 }).kind, verdict('a', { mode: 0 }).kind]).to.deep.equal([
      'folder',
      'file',
    ])
  })
  it('an entry is a folder by the bit of DOS', () => {
    const facts = { name: 'a', encrypted: false, externalFileAttributes: 0x10 }
    expect(entryVerdict(facts)).to.deep.equal({ kind: 'folder', path: 'a' })
  })
  for (const [name, path] of [
    ['./a.png', 'a.png'],
    ['./a/./b.png', 'a/b.png'],
    ['a//b.png', 'a/b.png'],
  ] as const) {
    it(`writes an entry of an archive named ${name} to ${path}`, () => {
      expect(verdict(name)).to.deep.equal({ kind: 'file', path })
    })
  }
  for (const name of [
    '__MACOSX/a/._x',
    '__MACOSX/',
    '._a.png',
    'a/._b.png',
    '.DS_Store',
    'a/.DS_Store',
    'Thumbs.db',
    'a/Thumbs.db',
    '/',
    './',
    '.',
  ]) {
    it(`skips an entry of an archive as ${name}`, () => {
      expect(verdict(name).kind).to.equal('skip')
    })
  }

  const refused: [string, string, object][] = [
    ['a symbolic link', 'a', { mode: 0o120777 }],
    ['a device', 'a', { mode: 0o020644 }],
    ['a pipe', 'a', { mode: 0o010644 }],
    ['encrypted', 'a', { encrypted: true }],
    ['absolute', '/etc/passwd', {}],
    ['above the folder', '../a', {}],
    ['above in its middle', 'a/../../b', {}],
    ['above behind a dot', './../a', {}],
    ['on a drive', 'C:/a', {}],
    ['a control character', 'a\nb', {}],
    ['a NUL', 'a\0b', {}],
    ['a leading dash', '-y.mp4', {}],
    ['a leading dash behind a dot', './-y.mp4', {}],
    ['too long', 'x'.repeat(256), {}],
    ['too deep', `${'d/'.repeat(16)}a`, {}],
    ['nothing', '', {}],
    ['a file that names itself a folder', 'a/', {}],
  ]
  for (const [what, name, facts] of refused) {
    it(`refuses an entry of an archive as ${what}`, () => {
      expect(verdict(name, facts).kind).to.equal('refused')
    })
  }
})
