import { expect } from 'chai'
import { causeLines } from './error-lines.ts'

describe('the lines that give the cause', () => {
  it('returns the lines that no other error has caused', () => {
    expect(
      causeLines([
        '[libx264] width not divisible by 2 (127x95)',
        '[vost#0:0/libx264] Error while opening encoder - maybe incorrect parameters such as bit_rate',
        '[vf#0:0] Error sending frames to consumers: Generic error in an external library',
        '[vf#0:0] Task finished with error code: -542398533 (Generic error in an external library)',
        '[out#0/mp4] Nothing was written into output file, because at least one of its streams',
      ]),
    ).to.deep.equal(['[libx264] width not divisible by 2 (127x95)'])
  })

  it('the error lines name the file when FFmpeg only reports that it could not be opened', () => {
    expect(
      causeLines([
        '[in#0] Error opening input: No such file or directory',
        'Error opening input file frames/%03d.png.',
        'Error opening input files: No such file or directory',
      ]),
    ).to.deep.equal(['Error opening input file frames/%03d.png: No such file or directory'])
  })

  it('the error lines are all kept when each has another cause', () => {
    const lines = ['[vf#0:0] Task finished with error code: -5 (I/O error)', 'Conversion failed!']
    expect(causeLines(lines)).to.deep.equal(lines)
  })

  it('error lines stand once each, lists in one line', () => {
    expect(
      causeLines(['[aac] Supported:', '[aac]   48000', '[aac]   44100', '[x] no', '[x] no']),
    ).to.deep.equal(['[aac] Supported: 48000, 44100', '[x] no'])
  })

  it('returns the first and the last of many causes', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `[h264] ${String(index)}`)
    expect(causeLines(lines)).to.deep.equal([...lines.slice(0, 4), '…', ...lines.slice(-7)])
  })

  it('the error lines say which filter is unknown, which FFmpeg does not', () => {
    expect(
      causeLines([
        "[AVFilterGraph] No option name near '640:-1'",
        '[AVFilterGraph] Error parsing a filter description around: ,hflip',
        "[AVFilterGraph] Error parsing filterchain '[0:v]scal=640:-1,hflip' around: ,hflip",
      ]),
    ).to.deep.equal(["No such filter: 'scal'"])
    const known = [
      "[AVFilterGraph] No option name near '1'",
      "x Error parsing filterchain 'hflip=1' around:",
    ]
    expect(causeLines(known)).to.deep.equal(known)
  })

  it('returns no cause for a log without lines', () => {
    expect(causeLines([])).to.deep.equal([])
  })
})
