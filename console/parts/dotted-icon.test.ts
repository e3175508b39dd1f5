import { expect } from 'chai'
import { withDot } from './dotted-icon.ts'

describe('the icon of a tab', () => {
  const plain = `data:image/svg+xml,${encodeURIComponent('<svg><path d="M0 0"/></svg>')}`
  const svgOf = (url: string) => decodeURIComponent(url.slice('data:image/svg+xml,'.length))

  it('has a dot in the colour of the state, and none without a state', () => {
    expect(svgOf(withDot(plain, 'bad'))).to.match(
      /^<svg><path d="M0 0"\/><circle .*fill="#bf1f2b".*\/><\/svg>$/,
    )
    expect(withDot(plain, 'good')).not.to.equal(withDot(plain, 'bad'))
    expect(withDot(plain, null)).to.equal(plain)
  })
})
