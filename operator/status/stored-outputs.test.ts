import { expect } from 'chai'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'
import { expectedObjects, namesItsFiles, outputPrefix } from './stored-outputs.ts'

describe('the objects that a result names', () => {
  const single = { alias: 'out_1', path: 'o.mp4', sizeBytes: 7, media: unknownMedia }
  const file = { ...single, compressedBytes: null, fileCount: null }
  const playlist = { ...file, path: 'p/list.m3u8', sizeBytes: 100, fileCount: 3 }
  const folder = { ...file, path: 'files.zip', sizeBytes: 90, compressedBytes: 40, fileCount: 5 }
  const objectOf = (path: string, sizeBytes: number) => ({ path, sizeBytes, etag: 'e' })

  it('the expected objects are those of outputs with one object when the runner names none', () => {
    expect(expectedObjects({ files: [file, playlist, folder] })).to.deep.equal([
      { path: 'o.mp4', sizeBytes: 7, etag: null },
      { path: 'files.zip', sizeBytes: 40, etag: null },
    ])
    expect(namesItsFiles({ files: [file, playlist] })).to.equal(true)
  })

  it('the objects of a result have the bytes that are charged: of a folder those of its archive', () => {
    const objects = [objectOf('files.zip', 40), objectOf('p/list.m3u8', 1), objectOf('p/0.ts', 99)]
    expect(namesItsFiles({ files: [folder, playlist], objects })).to.equal(true)
    expect(namesItsFiles({ files: [folder, playlist], objects: objects.slice(1) })).to.equal(false)
    const larger = [...objects, objectOf('p/1.ts', 1)]
    expect(namesItsFiles({ files: [folder, playlist], objects: larger })).to.equal(false)
  })

  it('rejects a result that names an object twice', () => {
    const objects = [objectOf('o.mp4', 3), objectOf('o.mp4', 4)]
    expect(namesItsFiles({ files: [file], objects })).to.equal(false)
  })
})

describe('outputPrefix', () => {
  const source = {
    commands: [],
    inputFiles: null,
    inputCompressedFolder: null,
    outputFiles: null,
  }
  const work = { accountId: 'a', commandId: 'c', isPrivate: true }

  it('outputPrefix is null when an attempt only probes an upload', () => {
    const upload = { storedFile: { upload: { key: 'private/a/c/x', name: 'x' } } }
    expect(outputPrefix({ ...work, source: { ...source, ...upload } }, 'pod')).to.equal(null)
  })

  it('returns the folder of the attempt for other work', () => {
    const url = { storedFile: { url: 'https://a.example/x' } }
    expect(outputPrefix({ ...work, source: { ...source, ...url } }, 'pod')).to.equal(
      'private/a/c/pod/',
    )
    expect(outputPrefix({ ...work, isPrivate: false, source }, 'pod')).to.equal('public/a/c/pod/')
  })
})
