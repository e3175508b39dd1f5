import { expect } from 'chai'
import { placeInCommand } from './place-in-command.ts'

describe('the place of what FFmpeg complains of', () => {
  const cases: [string, string, number | null][] = [
    ["Unrecognized option 'crff'.", '-i {{in_1}} -crf 2 -crff 20 {{out_1}}', 20],
    ["Unrecognized option 'x'.", '-i {{in_1}} -x 1 -x 2 {{out_1}}', null],
    ["Unrecognized option 'x'.", '-i {{in_1}} -xy 1 {{out_1}}', null],
    ["[vost#0:0] Unknown encoder 'libx266'", '-metadata title=äöü😀 -c:v libx266 o', 27],
    ['Invalid duration for option t: abc', '-t 5 -i a -t abc b', 11],
    ["Failed to set value '0:s' for option 'map': Invalid argument", '-map 0:v -map 0:s o', 10],
    ["Failed to set value '0:s' for option 'map': Invalid argument", "-map '0:s' o", 1],
    ['[libx264] Error setting option crf to value abc.', '-crf abc', 1],
    ['[libx264] Error setting option b to value abc.', '-b:v abc', 1],
    ['[Parsed_color_0] Error setting option c to value no.', 'color=c=no:s=1', 7],
    ["Error applying option 'foo' to filter 'scale': Option not found", 'scale=foo=3', 7],
    ["[AVFilterGraph] No such filter: 'scal'", '[0]scal=1,scale=2', 4],
    ['[fc#0] Invalid file index 1 in filtergraph description x', '[0:v][1:v]overlay', 6],
    ['Invalid input file index: 2.', '-map 0 -map 2:v o', 13],
    ['[x] Invalid frame size: 12.', '-s 12 o', 4],
    ["[x] Unknown encoder '(.*+'", 'a (.*+ b', 3],
    ['something else', 'something else', null],
  ]
  for (const [line, command, place] of cases) {
    it(`${line} is at ${String(place)} of ${command}`, () => {
      expect(placeInCommand(line, command)).to.equal(place)
    })
  }
})
