import { expect } from 'chai'
import { useFolder } from '../../testing/support/mocha.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { ignoredNotes } from './ignored-notes.ts'
import { markedCommand } from './marked-command.ts'
import { editText, openPage } from './programs.ts'
import { screenOf } from './screen.ts'
import { writeFile } from 'node:fs/promises'

describe('a command with its mark', () => {
  it('a mark is under its token when the command has wide characters before it', () => {
    expect(markedCommand('-i 😀é -vf x=1', { token: 'x=1', position: 11 })).to.deep.equal([
      '-i 😀é -vf x=1',
      '          ^^^',
    ])
    expect(markedCommand('-i a\n-vf b', { token: null, position: 6 })).to.deep.equal([
      '-i a -vf b',
      '     ^^^',
    ])
  })

  it('a command is cut around a mark that is far from the beginning', () => {
    const [line = '', mark = ''] = markedCommand(`${'a '.repeat(200)}bad ${'c '.repeat(200)}`, {
      token: 'bad',
      position: 401,
    })
    expect(line)
      .to.match(/^….*bad.*…$/)
      .and.to.have.lengthOf.at.most(80)
    expect(line.slice(mark.indexOf('^'), mark.length)).to.equal('bad')
  })

  it('a mark is not shown when its place is not known', () => {
    expect(markedCommand('-i a', { token: null, position: null })).to.deep.equal([])
    expect(markedCommand('-i a', undefined)).to.deep.equal([])
  })
})

describe('notes of ignored parameters', () => {
  it('notes of ignored parameters name each parameter once', () => {
    const said: string[] = []
    const note = ignoredNotes((line) => said.push(line))
    note(['page'])
    note(['page', 'levels'])
    note(['levels'])
    expect(said.map((line) => /ignored (\w+);/.exec(line)?.[1])).to.deep.equal(['page', 'levels'])
  })
})

describe('a screen', () => {
  it('a screen has as many and as long lines as fit', () => {
    expect(screenOf(['abc', 'd', 'e'], { rows: 3, columns: 2 })).to.equal(
      '\x1b[Hab\x1b[K\nd\x1b[K\n\x1b[J',
    )
    expect(screenOf(['abc'], { rows: 0, columns: 0 })).to.contain('abc')
  })
})

describe('programs of this machine', () => {
  const inFolder = useFolder()

  it('programs change a text in an editor with arguments, and fail with its exit code', async () => {
    const script = inFolder('edit.sh')
    await writeFile(script, 'sed -i "s/$1/new/" "$2"\n')
    expect(await editText('old text\n', 'request.json', `sh ${script} old`)).to.equal('new text\n')
    expect(await rejectionOf(editText('a', 'a.json', 'false'))).to.include({
      message: "the editor 'false' ended with 1",
    })
  })

  it('a page is not opened where no browser can be started', async () => {
    const path = process.env['PATH']
    process.env['PATH'] = '/nonexistent'
    try {
      expect(await openPage('http://127.0.0.1:9/', 'linux')).to.equal(false)
    } finally {
      process.env['PATH'] = path
    }
  })
})
