import { expect } from 'chai'
import fc from 'fast-check'
import { aFile } from '../shell/samples.fixture.ts'
import {
  deletionRequests,
  deletionText,
  factsOf,
  fileLine,
  inputOf,
  originOf,
  stateOf,
  titleOf,
  typeWord,
} from './file-facts.ts'

const stored = aFile({
  service_store_type: 'STORED_FILE',
  storage_url: 'https://s/a/_t_.mp4',
  original_file_url: 'été.mp4',
  command_id: null,
})
const output = aFile({ storage_url: 'https://s/a/small%20one.mp4?X-Amz-Expires=900' })
const fetched = { ...stored, original_file_url: 'https://media.example/x/clip.mov?a=b' }

describe('a file', () => {
  it('titleOf returns the name that the client or the command gave a file', () => {
    expect(titleOf(stored)).to.equal('été.mp4')
    expect(titleOf(output)).to.equal('small one.mp4')
    expect(titleOf({ ...fetched, storage_url: null })).to.equal('clip.mov')
    expect(titleOf({ ...output, storage_url: null })).to.equal('f')
  })

  it('originOf returns how a file came', () => {
    expect([stored, output, fetched].map(originOf)).to.deep.equal([
      'Upload',
      'Output',
      'From a URL',
    ])
  })

  it('deletionText names what a deletion removes and what stays', () => {
    expect(deletionText([stored])).to.equal(
      'été.mp4 (2.5 MB) will be deleted. Its URL stops working.',
    )
    const playlist = { ...output, file_type: 'output_manifest', size_mbytes: null }
    expect(deletionText([...Array<typeof stored>(5).fill(stored), playlist])).to.equal(
      'été.mp4, été.mp4, été.mp4, été.mp4, été.mp4 and 1 more (12.5 MB) will be deleted. Their URLs stop working. A playlist goes with its segments. The records of the commands stay.',
    )
  })
})

describe('a file as an input', () => {
  it('inputOf returns the plain URL without the signature of a private file, with name and size', () => {
    const signed = 'https://s3.example/private/film.mov?X-Amz-Expires=900&X-Amz-Signature=abc'
    expect(inputOf(aFile({ storage_url: signed, is_private: true }))).to.deep.equal({
      url: 'https://s3.example/private/film.mov',
      file: { name: 'film.mov', mbytes: 2.5, upload: null },
    })
  })

  it('inputOf returns the name that the user gave an upload, in place of that in the storage', () => {
    const upload = aFile({ service_store_type: 'STORED_FILE', original_file_url: 'été.mp4' })
    expect(inputOf(upload).file?.name).to.equal('été.mp4')
  })
})

describe('the words of a file', () => {
  it('stateOf returns a word, a shape and a colour for each state of a file', () => {
    const states = ['STORED', 'FAILED', 'QUEUED', 'DOWNLOADING', 'DOWNLOADED', 'UPLOADED'] as const
    expect(states.map((status) => Object.values(stateOf({ status })).join())).to.deep.equal([
      'Stored,done,muted',
      'Failed,failed,bad',
      'Waiting,queued,accent',
      'Downloading,running,accent',
      'Analysing,running,accent',
      'Analysing,running,accent',
    ])
  })

  it('fileLine returns the size of a stored file, or its state, then its privacy and its age', () => {
    const now = Date.parse('2026-05-19T18:00:00Z')
    const line = (change: object) => fileLine(aFile(change), now)
    expect(line({})).to.equal('2.5 MB · 5 min')
    expect(line({ is_private: true })).to.equal('2.5 MB · private · 5 min')
    expect(line({ status: 'DOWNLOADING', size_mbytes: null })).to.equal('Downloading · 5 min')
    expect(line({ size_mbytes: null })).to.equal('5 min')
  })

  it('typeWord names type and format once, and a playlist in place of a manifest', () => {
    expect(typeWord(aFile())).to.equal('video · mp4')
    expect(typeWord(aFile({ file_type: 'zip', file_format: 'zip' }))).to.equal('zip')
    expect(typeWord(aFile({ file_type: 'output_manifest', file_format: 'hls' }))).to.equal(
      'playlist · hls',
    )
    expect(typeWord(aFile({ file_type: null, file_format: null }))).to.equal('')
  })

  it('factsOf returns facts that are known, and no others', () => {
    expect(
      factsOf(aFile({ size_mbytes: null, file_type: null, file_format: null, codec: null })),
    ).to.deep.equal([])
    const known = aFile({
      width: 640,
      height: 360,
      duration: 5,
      frame_rate: 29.97003,
      video_profile_level: 'High 3.0',
      bitrate_video_kb: 812.4,
      bitrate_audio_kb: 128,
    })
    expect(Object.fromEntries(factsOf(known))).to.deep.equal({
      Size: '2.5 MB',
      Type: 'video · mp4',
      Picture: '640x360',
      Duration: '5.0 s',
      Codec: 'h264 High 3.0',
      Frames: '29.97 a second',
      'Bit rate': 'video 812 kbit/s, audio 128 kbit/s',
    })
    const sound = aFile({ width: null, bitrate_audio_kb: 128, frame_rate: 25 })
    expect(Object.fromEntries(factsOf(sound))).to.include({ 'Bit rate': 'audio 128 kbit/s' })
    expect(Object.fromEntries(factsOf(sound)), 'frames without a duration').not.to.have.property(
      'Frames',
    )
  })
})

describe('deletionRequests', () => {
  it('deletionRequests names each file once, at most 1,000 by a request, and playlists one by one', () => {
    const file = fc
      .tuple(fc.constantFrom('video', 'output_manifest', null), fc.nat())
      .map(([file_type, number]) => aFile({ file_id: `f${number}`, file_type }))
    fc.assert(
      fc.property(
        fc.uniqueArray(file, { maxLength: 20, selector: (one) => one.file_id }),
        (files) => {
          const { many, single } = deletionRequests(files)
          expect([...many.flat(), ...single].toSorted()).to.deep.equal(
            files.map((one) => one.file_id).toSorted(),
          )
          const playlists = files.filter((one) => one.file_type === 'output_manifest')
          expect(single).to.deep.equal(playlists.map((one) => one.file_id))
          for (const ids of many) expect(ids).not.to.deep.equal([])
        },
      ),
    )
    const lengths = (count: number) => {
      const files = Array.from({ length: count }, (_, index) => aFile({ file_id: `${index}` }))
      return deletionRequests(files).many.map((ids) => ids.length)
    }
    expect([0, 1_000, 1_001, 2_500].map(lengths)).to.deep.equal([
      [],
      [1_000],
      [1_000, 1],
      [1_000, 1_000, 500],
    ])
  })
})
