import { expect } from 'chai'
import { backportsSuite, isNewEnough, newestGoPackage } from './go-program.ts'

describe('the choice of Go', () => {
  it('takes each Go that fetches the version that a module requires', () => {
    for (const version of ['go1.21.0', 'go1.26.8', 'go1.27rc1']) {
      expect(isNewEnough(version), version).to.equal(true)
    }
    for (const version of ['', 'go1.19.8', 'devel', 'go2.30']) {
      expect(isNewEnough(version), version).to.equal(false)
    }
  })

  it('takes the newest package of apt by its number', () => {
    const ubuntu = ['golang-1.18-go', 'golang-1.22-go', 'golang-1.9-go', 'golang-1.22-src']
    expect(newestGoPackage(ubuntu)).to.equal('golang-1.22-go')
    expect(newestGoPackage(['golang-1.19-go', 'golang-1.19-doc'])).to.equal(null)
  })

  it('takes backports from Debian alone', () => {
    const debian = 'NAME="Debian GNU/Linux"\nVERSION_CODENAME=bookworm\nID=debian\n'
    expect(backportsSuite(debian)).to.equal('bookworm-backports')
    expect(backportsSuite('ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n')).to.equal(null)
    expect(backportsSuite('')).to.equal(null)
  })
})
