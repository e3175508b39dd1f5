import { expect } from 'chai'
import { directLink, shareAdvice } from './share-links.ts'

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

describe('a page of a service that people share files with', () => {
  const advised: [string, RegExp][] = [
    ['https://drive.google.com/file/d/1AbC/view', /Anyone with the link/],
    ['https://drive.google.com/drive/folders/1AbC', /folder of Google Drive/],
    ['https://www.dropbox.com/home/a.mp4', /'Copy link'/],
    ['https://1drv.ms/v/s!AbC', /download=1/],
    ['https://firm.sharepoint.com/:v:/g/AbC', /download=1/],
    ['https://app.box.com/s/abc', /'Direct Link'/],
    ['https://www.icloud.com/iclouddrive/0AbC', /init-upload/],
    ['https://we.tl/t-AbC', /download button/],
    ['https://github.com/o/r/blob/main/a.mp4', /'Raw' button/],
    ['https://s3.console.aws.amazon.com/s3/object/b?prefix=a.mp4', /aws s3 presign/],
    ['https://eu-west-1.console.aws.amazon.com/s3/object/b', /aws s3 presign/],
  ]
  for (const [url, advice] of advised) {
    it(`says which link to send in place of ${url}`, () => {
      expect(shareAdvice(new URL(url))).to.match(advice)
    })
  }
  for (const url of [
    'https://media.example/a.mp4',
    'https://github.com/o/r',
    'https://notbox.com/s/a',
  ]) {
    it(`says nothing of ${url}`, () => {
      expect(shareAdvice(new URL(url))).to.equal(null)
    })
  }
})
