import { expect } from 'chai'
import { fileNameIn } from './file-name-in.ts'

describe('the name of an input in a list', () => {
  for (const [path, name] of [
    ['https://media.example/a/film.mov', 'film.mov'],
    ['ample/a/film.mov', 'film.mov'],
    ['https://media.example/Mein%20Film%20%C3%BC.mov', 'Mein Film ü.mov'],
    ['https://media.example/größe 中.mov', 'größe 中.mov'],
    ['https://media.example/100%.mov', '100%.mov'],
    ['https://media.example/o/folder%2Ffilm.mov', 'film.mov'],
    ['https://media.example/two%0Alines.mov', 'twolines.mov'],
    ['https://media.example/watch/', 'watch'],
    ['https://media.example/', 'media.example'],
    ['https://media.example/..', '..'],
    ['', ''],
  ] as const) {
    it(`an input at '${path}' is listed as '${name}'`, () => {
      expect(fileNameIn(path)).to.equal(name)
    })
  }
})
