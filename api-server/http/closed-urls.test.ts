import { expect } from 'chai'
import { addressRules } from '../../common/network/address-policy.ts'
import { closedUrlsOf } from './closed-urls.ts'
import { operation } from './openapi.ts'

const { schema } = operation('runFfmpegCommand')
const none = addressRules({ allowCidrs: [], denyCidrs: [] })

function placesOf(url: string, rules = none): string[] {
  const body = { input_files: { in_1: url }, output_files: { out_1: 'a.mp4' }, ffmpeg_command: '' }
  return closedUrlsOf(schema)({ path: {}, query: {}, body }, rules).map(({ loc }) => loc.join('.'))
}

describe('URLs whose host is certain at submission', () => {
  const closed = [
    'http://localhost/a.mp4',
    'http://files.localhost:8080/a.mp4',
    'http://localhost./a.mp4',
    'http://127.0.0.1:3000/a.mp4',
    'http://2130706433/a.mp4',
    'http://[::1]/a.mp4',
    'http://[::ffff:10.0.0.1]/a.mp4',
    'http://169.254.169.254/latest/meta-data',
    'http://192.168.1.20/a.mp4',
    'https://10.1.2.3/a.mp4',
    ' http://168.63.129.16/a.mp4 ',
  ]
  for (const url of closed) {
    it(`rejects the URL ${url.trim()}`, () => {
      expect(placesOf(url)).to.deep.equal(['body.input_files.in_1'])
    })
  }

  for (const url of ['https://media.example/a.mp4', 'http://93.184.215.14/a.mp4']) {
    it(`leaves ${url} to the check at the fetch`, () => {
      expect(placesOf(url)).to.deep.equal([])
    })
  }

  it('accepts an address that the installation allows', () => {
    const rules = addressRules({ allowCidrs: ['192.168.0.0/16'], denyCidrs: [] })
    expect(placesOf('http://192.168.1.20/a.mp4', rules)).to.deep.equal([])
  })

  it('rejects a public address that the installation denies', () => {
    const rules = addressRules({ allowCidrs: [], denyCidrs: ['93.184.0.0/16'] })
    expect(placesOf('http://93.184.215.14/a.mp4', rules)).to.have.lengthOf(1)
  })

  it('reads webhook_url and the folder too', () => {
    const body = {
      input_compressed_folder: 'http://localhost/a.zip',
      webhook_url: 'http://127.0.0.1/hook',
    }
    const places = closedUrlsOf(schema)({ body }, none).map(({ loc }) => loc.at(-1))
    expect(places).to.have.members(['input_compressed_folder', 'webhook_url'])
  })
})
