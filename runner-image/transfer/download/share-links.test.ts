import { expect } from 'chai'
import { directLink } from './share-links.ts'

const drive = 'https://drive.usercontent.google.com/download'

describe('share links', () => {
  const table: [string, string][] = [
    [
      'https://drive.google.com/file/d/1AbC_-9/view?usp=sharing',
      `${drive}?id=1AbC_-9&export=download&confirm=t`,
    ],
    ['https://drive.google.com/open?id=1AbC', `${drive}?id=1AbC&export=download&confirm=t`],
    [
      'https://drive.google.com/uc?export=download&id=1AbC&resourcekey=0-x',
      `${drive}?id=1AbC&export=download&confirm=t&resourcekey=0-x`,
    ],
    ['https://drive.google.com/drive/folders/1AbC', 'https://drive.google.com/drive/folders/1AbC'],
    ['https://www.dropbox.com/s/abc/a.mp4?dl=0', 'https://www.dropbox.com/s/abc/a.mp4?dl=1'],
    [
      'https://www.dropbox.com/scl/fi/abc/a.mp4?rlkey=k&st=s&raw=1',
      'https://www.dropbox.com/scl/fi/abc/a.mp4?rlkey=k&st=s&dl=1',
    ],
    [
      'https://www.dropbox.com/scl/fo/abc/x?rlkey=k',
      'https://www.dropbox.com/scl/fo/abc/x?rlkey=k&dl=1',
    ],
    ['https://www.dropbox.com/help', 'https://www.dropbox.com/help'],
    ['https://media.example/s/a.mp4?dl=0', 'https://media.example/s/a.mp4?dl=0'],
  ]
  for (const [shared, direct] of table) {
    it(`turns ${shared} into the file's own address`, () => {
      expect(directLink(new URL(shared)).href).to.equal(direct)
    })
  }
})
