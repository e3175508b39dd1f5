import { expect } from 'chai'
import { failures } from '../../common/domain/failures.ts'
import { markIn } from './error-mark.ts'
import { remedyOf } from './remedies.ts'

const marked = (command: string, message: string) => {
  const mark = markIn(command, message)
  return mark === null ? null : Array.from(command).slice(mark.from, mark.to).join('')
}

describe('markIn', () => {
  it('takes the token at the character that the message names', () => {
    const command = '-i {{in_1}} -vf scal=-2:480 {{out_1}}'
    expect(marked(command, "Unknown 'x' at character 17; declared: in_1")).to.equal('scal=-2:480')
    expect(marked('-metadata title=😀 -x', 'at character 19')).to.equal('-x')
    expect(marked(command, 'at character 400')).to.equal(null)
    expect(marked(command, 'at character 0')).to.equal(null)
  })

  it('takes a quoted text that the command has once, as a word of its own', () => {
    const command = '-i {{in_1}} -vf scal=-2:480,scale=1:1 {{out_1}}'
    expect(marked(command, "FFmpeg refused the command: No such filter: 'scal'")).to.equal('scal')
    expect(marked(command, "Unknown encoder 'libx266'")).to.equal(null)
    expect(marked('-vf scale=2,scale=4', "No such filter: 'scale'")).to.equal(null)
    expect(marked('-vf scale=2', "No such filter: 'scal'")).to.equal(null)
  })

  it('marks nothing without a place', () => {
    expect(markIn('-i {{in_1}} {{out_1}}', 'FFmpeg timed out')).to.equal(null)
    expect(markIn('', "''")).to.equal(null)
  })
})

describe('remedyOf', () => {
  it('remedyOf has words for each kind of failure, and none for others', () => {
    for (const kind of Object.keys(failures)) {
      const words = Object.values(remedyOf(kind) ?? {})
      expect(words, kind).to.have.length(4)
      for (const text of words) expect(text, kind).to.be.a('string').and.not.equal('')
    }
    expect(remedyOf('NEW_KIND')).to.equal(null)
  })
})
