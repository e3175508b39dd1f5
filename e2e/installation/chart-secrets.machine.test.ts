import { expect } from 'chai'
import { apiServerSettingsIn, deployment, operatorSettingsIn, useChart } from './chart.fixture.ts'

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
    expect(pod.volumes?.map(({ name }) => name)).to.deep.equal([
      'config',
      'database',
      'storage-presign',
    ])
    expect(apiServerSettingsIn(objects).storage.credentials.mode).to.equal('default')
    expect(pod.containers[0]?.env).to.deep.include({
      name: 'CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER',
      value: '/etc/cloud-ffmpeg/storage-presign',
    })
    const job = objects.find(({ kind }) => kind === 'Job')?.spec.template?.spec
    expect(job).to.include({ serviceAccountName: 'media-api-server' })
  })

  it('names the installation by namespace and release, and puts a prefix into keys and public addresses', async () => {
    const objects = await render('minimal', '--set', 'storage.prefix=other/')
    for (const settings of [apiServerSettingsIn(objects), operatorSettingsIn(objects)]) {
      expect(settings.release).to.deep.equal({
        name: 'media',
        namespace: 'media',
        fullname: 'media',
      })
      expect(settings.storage).to.include({
        prefix: 'other/',
        publicBaseUrl: 'https://s3.example.com/media/other',
      })
    }
  })
})
