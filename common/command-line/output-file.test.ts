import { expect } from 'chai'
import { refusalOf } from './plan-one.fixture.ts'

describe('the null sink', () => {
  for (const sink of [
    '-f null -',
    '-f null /dev/null',
    '-f null NUL',
    '-f mp4 /dev/null',
    '-f NULL -',
  ]) {
    it(`is ${sink}`, () => {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${sink}`)).to.equal('accepted')
      const [, format, name] = sink.split(' ')
      expect(refusalOf(`-i {{in_1}} -f tee '{{out_1}}|[f=${format}]${name}'`)).to.equal('accepted')
    })
  }

  for (const output of ['-', '-f mp4 -', '/dev/null', '-f mp4 NUL', '-f null /dev/zero']) {
    it(`is not ${output}`, () => {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${output}`)).to.match(/^command_/)
    })
  }
})
