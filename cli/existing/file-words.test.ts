import { expect } from 'chai'
import { fileWords } from './file-words.ts'

describe('the files of a command in a list', () => {
  for (const [inputs, outputs, words] of [
    [['film.mov'], ['small.mp4'], 'film.mov → small.mp4'],
    [['a.mov', 'b.png'], ['OUTPUT_FOLDER'], 'a.mov, b.png → OUTPUT_FOLDER'],
    [['a', 'b', 'c'], ['d', 'e', 'f'], 'a, b, … → d, e, …'],
    [[], ['colors.mp4'], '→ colors.mp4'],
    [['film.mov'], [], 'film.mov →'],
    [[], [], ''],
    [null, null, ''],
    [undefined, undefined, ''],
  ] as const) {
    it(`writes the inputs ${JSON.stringify(inputs)} and outputs ${JSON.stringify(outputs)} as '${words}'`, () => {
      const names = (some: typeof inputs | typeof outputs) => (some ? [...some] : some)
      const item =
        inputs === undefined ? {} : { input_names: names(inputs), output_names: names(outputs) }
      expect(fileWords(item as Parameters<typeof fileWords>[0])).to.equal(words)
    })
  }
})
