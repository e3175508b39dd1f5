import { expect } from 'chai'
import { readArguments } from './settings.ts'

describe('the arguments of transfer', () => {
  const gateway = ['--gateway', 'https://gateway:8090']

  it('the arguments of transfer take the authorities of the gateway as PEM, which begins with dashes', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB=\n-----END CERTIFICATE-----\n'
    expect(readArguments([...gateway, `--gateway-ca=${pem}`]).gatewayCa).to.equal(pem)
    expect(readArguments(gateway).gatewayCa).to.equal(null)
  })

  it('the arguments of transfer are refused without the URL of the gateway', () => {
    expect(() => readArguments([])).to.throw(/--gateway: the URL/)
  })
})
