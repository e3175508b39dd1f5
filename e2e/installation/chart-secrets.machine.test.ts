import { expect } from 'chai'
import { deployment, useChart } from './chart.fixture.ts'

describe('the chart, for database and storage,', function () {
  this.timeout(900_000)
  const { render } = useChart()

  it('gives database URLs and storage keys to the servers as files, which are read again when they change', async () => {
    const keys = ['--set', 'database.existingSecret.directUrlKey=direct']
    const objects = await render('secrets-of-your-own', ...keys)
    const job = objects.find(({ kind }) => kind === 'Job')?.spec.template?.spec
    for (const pod of [deployment(objects, 'api-server'), deployment(objects, 'operator'), job]) {
      expect(pod?.volumes).to.deep.include.members([
        {
          name: 'database',
          secret: {
            secretName: 'my-database',
            items: [
              { key: 'url', path: 'url' },
              { key: 'direct', path: 'directUrl' },
            ],
          },
        },
        {
          name: 'storage',
          secret: {
            secretName: 'my-storage',
            items: [
              { key: 'accessKeyId', path: 'accessKeyId' },
              { key: 'secretAccessKey', path: 'secretAccessKey' },
            ],
          },
        },
      ])
      const [container] = pod?.containers ?? []
      expect(container?.volumeMounts?.map(({ mountPath }) => mountPath)).to.include.members([
        '/etc/cloud-ffmpeg/database',
        '/etc/cloud-ffmpeg/storage',
      ])
      expect(container?.env).to.deep.include.members([
        {
          name: 'CLOUD_FFMPEG_DATABASE_DIRECT_URL_FILE',
          value: '/etc/cloud-ffmpeg/database/directUrl',
        },
        { name: 'CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER', value: '/etc/cloud-ffmpeg/storage' },
      ])
    }
  })

  it('leaves the credentials of the storage to the identity of the pods, with a key for URLs of users alone', async () => {
    const objects = await render('workload-identity')
    const secrets = objects.filter(({ kind }) => kind === 'Secret')
    expect(secrets.map(({ metadata }) => metadata.name)).to.not.include('media-storage')
    const pod = deployment(objects, 'api-server')
    expect(pod.volumes?.map(({ name }) => name)).to.deep.equal(['database', 'storage-presign'])
    expect(pod.containers[0]?.env).to.deep.include.members([
      { name: 'CLOUD_FFMPEG_STORAGE_CREDENTIALS', value: 'default' },
      { name: 'CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER', value: '/etc/cloud-ffmpeg/storage-presign' },
    ])
    const job = objects.find(({ kind }) => kind === 'Job')?.spec.template?.spec
    expect(job).to.include({ serviceAccountName: 'media-api-server' })
  })

  it('names the installation by namespace and release, and puts a prefix into keys and public addresses', async () => {
    const objects = await render('minimal', '--set', 'storage.prefix=other/')
    for (const component of ['api-server', 'operator']) {
      expect(deployment(objects, component).containers[0]?.env).to.deep.include.members([
        { name: 'CLOUD_FFMPEG_INSTALLATION', value: 'media/media' },
        { name: 'CLOUD_FFMPEG_STORAGE_PREFIX', value: 'other/' },
        {
          name: 'CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL',
          value: 'https://s3.example.com/media/other',
        },
      ])
    }
    expect(deployment(objects, 'operator').containers[0]?.env).to.deep.include({
      name: 'CLOUD_FFMPEG_RELEASE',
      value: 'media',
    })
  })
})
