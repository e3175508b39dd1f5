import { expect } from 'chai'
import { clusterSettings } from './settings.ts'

describe('cluster settings', () => {
  it('the settings take the cache folder from the most specific variable', () => {
    const all = { CLOUD_FFMPEG_CACHE: '/a', XDG_CACHE_HOME: '/b', HOME: '/c' }
    expect(clusterSettings(all).cacheFolder).to.equal('/a')
    expect(clusterSettings({ ...all, CLOUD_FFMPEG_CACHE: '' }).cacheFolder).to.equal(
      '/b/cloud-ffmpeg',
    )
    expect(clusterSettings({ HOME: '/c' })).to.deep.equal({ cacheFolder: '/c/.cache/cloud-ffmpeg' })
  })

  it('the settings say which variable is wrong', () => {
    expect(() => clusterSettings({ HOME: '/c', E2E_CLUSTER: 'minikube' })).to.throw(
      'cluster provider "minikube": use one of local, kind, kubeconfig',
    )
    expect(() => clusterSettings({})).to.throw('CLOUD_FFMPEG_CACHE')
  })
})
