import { expect } from 'chai'
import { dottedIcon } from './dotted-icon.ts'

describe('the icon of a tab', () => {
  const plain = `data:image/svg+xml,${encodeURIComponent('<svg><path d="M0 0"/></svg>')}`
  const svgOf = (url: string) => decodeURIComponent(url.slice('data:image/svg+xml,'.length))

  it('the icon of a tab has a dot in the colour of the state, and none without a state', () => {
    expect(svgOf(dottedIcon(plain, 'bad'))).to.match(
      /^<svg><path d="M0 0"\/><circle .*fill="#bf1f2b".*\/><\/svg>$/,
    )
    expect(dottedIcon(plain, 'good')).not.to.equal(dottedIcon(plain, 'bad'))
    expect(dottedIcon(plain, null)).to.equal(plain)
  })
})
