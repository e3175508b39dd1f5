import { expect } from 'chai'
import { errorsOf } from '../../testing/support/plan-one.ts'
import { commandBytesLimit } from './read/tokens.ts'

/**
 * Planning runs on the thread that serves all requests: one plan that took a minute would block the
 * service.
 */
describe('the longest command', () => {
  const open = '-i {{in_1}} '
  const close = ' {{out_1}}'
  const filled = (front: string, unit: string, back = ''): string => {
    const room = commandBytesLimit - open.length - front.length - back.length - close.length
    return `${open}${front}${unit.repeat(Math.floor(room / unit.length))}${back}${close}`
  }
  const texts: Record<string, [text: string, message: RegExp | null]> = {
    'of braces': [
      `-i ${'{a,b}'.repeat(6)}${'{x}'.repeat(1352)} `.repeat(15) + close,
      /leaves the working directory/,
    ],
    'of options within options': [filled('-format_opts ', 'format_opts='), /more deeply than any/],
    'of options behind fifo': [filled('-fifo_options ', 'fifo_options='), /more deeply than any/],
    'of legs of tee': [filled('-map 0 -f tee ', 'a.ts|'), /200 outputs/],
    'of filters with files': [filled('-vf ', 'movie={{in_1}},', 'null'), null],
    'of commands to filters': [filled(`-vf "sendcmd=c='0 `, 'reinit ', `'"`), null],
    'of brackets to filters': [filled(`-vf "sendcmd=c='`, '[', `'"`), null],
    'of flags to filters': [filled(`-vf "sendcmd=c='0 `, '[,', `'"`), null],
    'of flags of commands': [filled(`-vf "sendcmd=c='`, '0 [ [ [ [;', `'"`), null],
    'of the program’s name': [
      `%${'ffmpeg'.repeat(10_000)} -i {{in_1}} {{out_1}}`,
      /Only ffmpeg|expects an output/,
    ],
    'of braces in many names': [
      `-i "concat:${'{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{x}{y}|'.repeat(1500)}x" {{out_1}}`,
      /is not a declared file/,
    ],
    'of brackets in a name': [filled('-attach a', '[:'), /a URL or names a protocol/],
    'of zeros in a pattern': [filled('-passlogfile a%', '0'), null],
    'of zones': [filled('-x264-params zones=', '0,1,crf=2/', '0,1,crf=2'), null],
    'of apostrophes': [filled('-metadata title=', "''"), null],
    'of backticks': [filled('-metadata title=a', '`a'), /would run another program/],
  }
  for (const [what, [text, message]] of Object.entries(texts)) {
    it(`${what} is answered at once`, () => {
      const [error] = errorsOf(text)
      if (message === null) expect(error).to.equal(undefined)
      else expect(error?.message).to.match(message)
    })
  }
})
