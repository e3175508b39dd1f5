import { expect } from 'chai'
import { withRemedies } from './line-remedies.ts'

describe('a line of FFmpeg that names no way out', () => {
  for (const [line, remedy] of [
    ["[aost#0:1] Unknown encoder 'libfdk_aac' (at character 18)", 'use aac'],
    ["[vost#0:0] Unknown encoder 'libopenh264'", 'use libx264'],
    [
      '[ipod] Could not find tag for codec h264 in stream #0, codec not currently supported in container',
      'the picture of a cover is not a video here: -vn leaves it out, -c:v copy keeps it',
    ],
    [
      '[mp4] Could not find tag for codec subrip in stream #2, codec not currently supported in container',
      'write -c:s mov_text for these subtitles, or -sn to leave them out',
    ],
    [
      '[mp4] Could not find tag for codec pcm_s16le in stream #1, codec not currently supported in container',
      'encode the stream in place of copying it, as by -c:a aac, or write to .mkv',
    ],
  ] as const) {
    it(`a line of FFmpeg without a remedy is followed by one: ${line}`, () => {
      expect(withRemedies([line], '')).to.deep.equal([`${line}; ${remedy}`])
    })
  }

  it('a line of FFmpeg is replaced where its remedy is a pattern that would be refused', () => {
    const lines = withRemedies(
      [
        '[image2] Use a pattern such as %03d for an image sequence or use the -update option',
        '[image2] Cannot write more than one file with the same name. Are you missing the -update option or a sequence pattern?',
      ],
      '-i {{in_1}} -vf fps=5 {{out_1}}',
    )
    expect(lines).to.have.length(1)
    expect(lines[0]).to.match(
      /same name; write -frames:v 1 in front .* "OUTPUT_FOLDER" and a name such as t_%03d.jpg$/,
    )
  })

  it('an absent file is one of folders that are not made, where the command has names in such', () => {
    const line =
      '[out#0/dash] Could not write header (incorrect codec parameters ?): No such file or directory'
    const command = "-media_seg_name 'r$RepresentationID$/$Number$.m4s' {{out_playlist_1}}"
    expect(withRemedies([line], command)[0]).to.contain('write a bare name')
    expect(withRemedies([line], '-f dash {{out_playlist_1}}')).to.deep.equal([line])
  })

  it('a line of FFmpeg stays as it is where none is known', () => {
    const lines = ["[vost#0:0] Unknown encoder 'frobnicate'", 'Conversion failed!']
    expect(withRemedies(lines, '')).to.deep.equal(lines)
  })
})
