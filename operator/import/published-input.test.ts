import { expect } from 'chai'
import { publishedInput } from './published-input.ts'

const bases = ['https://cdn.example', 'http://10.0.0.1:9000/media']

function problemOf(url: string, isPrivate = false): string | null {
  const inputs = [['in_1', 'https://media.example/a.mp4'] as const, ['in_2', url] as const]
  return publishedInput({ inputs, isPrivate }, bases)
}

describe('publishedInput', () => {
  const privateUrls = [
    'https://cdn.example/private/a/c/p/o.mp4',
    'http://10.0.0.1:9000/media/private/a/c/p/o.mp4?X-Amz-Signature=1',
    ' https://cdn.example/private/a/o.mp4',
    'https://CDN.example./%70rivate/a/o.mp4',
    'https://cdn.example/public/../private/a/o.mp4',
    'https://cdn.example/x/../private/a/o.mp4',
  ]
  for (const url of privateUrls) {
    it(`refuses a public output of ${url}`, () => {
      expect(problemOf(url)).to.match(/^in_2 is a private file, .* set spec\.private to true/)
    })
  }

  const others = [
    'https://cdn.example/public/a/c/p/o.mp4',
    'https://other.example/private/a/o.mp4',
    'http://10.0.0.1:9000/other/private/a/o.mp4',
  ]
  for (const url of others) {
    it(`publishedInput is silent about ${url}`, () => {
      expect(problemOf(url)).to.equal(null)
    })
  }

  it('publishedInput is silent about private outputs', () => {
    expect(problemOf('https://cdn.example/private/a/o.mp4', true)).to.equal(null)
  })
})
