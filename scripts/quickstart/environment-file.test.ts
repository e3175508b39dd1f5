import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { environmentFile, valueIn } from './environment-file.ts'

describe('environmentFile', () => {
  it('gives a shell exactly the values, with any characters in them, and the programs first', () => {
    const text = environmentFile({
      CLOUD_FFMPEG_URL: 'http://10.0.0.2:30080',
      CLOUD_FFMPEG_API_KEY: `cff_$HOME'"\`x\``,
      CLOUD_FFMPEG_FREE_API_KEY: 'cff_free',
      CLOUD_FFMPEG_HOST_ADDRESS: '10.0.0.1',
      SAMPLE: 'http://10.0.0.1/film.mp4',
      SAMPLES: 'http://10.0.0.1',
      KUBECONFIG: '/var/tmp/with space/admin.conf',
      programs: ['/opt/a b/kubectl', '/opt/a b/helm', '/opt/c/ctr'],
    })
    const script = `${text}printf '%s\\n' "$CLOUD_FFMPEG_API_KEY" "$KUBECONFIG" "$PATH"`
    const lines = execFileSync('/bin/sh', ['-c', script], { env: { PATH: '/bin' } })
    expect(lines.toString().trimEnd().split('\n')).to.deep.equal([
      `cff_$HOME'"\`x\``,
      '/var/tmp/with space/admin.conf',
      '/opt/a b:/opt/c:/bin',
    ])
  })

  it('writes a file that the next run reads again', () => {
    const text = environmentFile({
      CLOUD_FFMPEG_URL: 'http://10.0.0.2:30080',
      CLOUD_FFMPEG_API_KEY: `cff_$HOME'"\`x\``,
      CLOUD_FFMPEG_FREE_API_KEY: 'cff_free',
      CLOUD_FFMPEG_HOST_ADDRESS: '10.0.0.1',
      SAMPLE: 'http://10.0.0.1/film.mp4',
      SAMPLES: 'http://10.0.0.1',
      KUBECONFIG: '/etc/admin.conf',
      programs: ['/bin/kubectl'],
    })
    expect(valueIn(text, 'CLOUD_FFMPEG_FREE_API_KEY')).to.equal('cff_free')
    expect(valueIn(text, 'CLOUD_FFMPEG_API_KEY')).to.equal(`cff_$HOME'"\`x\``)
    expect(valueIn(text, 'CLOUD_FFMPEG_OTHER')).to.equal(null)
  })
})
