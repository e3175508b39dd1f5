import { expect } from 'chai'
import { settingsShown } from './settings-shown.ts'

describe('the settings in a support bundle', () => {
  it('settings in a support bundle have no secret in them, and nothing of other programs', () => {
    const settings = {
      apiServer: { streams: 8080 },
      storage: { endpoint: 'https://user:private@s3.example/?signature=private' },
    }
    const shown = settingsShown(settings, {
      PGPASSWORD: 'private',
      CLOUD_FFMPEG_DATABASE_URL: 'postgres://user:private@db/x',
      CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'private',
      CLOUD_FFMPEG_DATABASE_URL_FILE: '/url',
    })
    expect(shown).to.deep.equal({
      apiServer: { streams: 8080 },
      storage: { endpoint: 'https://…@s3.example/?…' },
      CLOUD_FFMPEG_DATABASE_URL: '(set)',
      CLOUD_FFMPEG_DATABASE_URL_FILE: '/url',
      CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: '(set)',
    })
  })

  it('hides each variable that can hold a credential', () => {
    const names = [
      'BOOTSTRAP_API_KEY',
      'DATABASE_DIRECT_URL',
      'DATABASE_URL',
      'SMTP_PASSWORD',
      'SMTP_USER',
      'STORAGE_ACCESS_KEY_ID',
      'STORAGE_SECRET_ACCESS_KEY',
    ]
    const environment = Object.fromEntries(names.map((name) => [`CLOUD_FFMPEG_${name}`, 'x']))
    expect(new Set(Object.values(settingsShown({}, environment)))).to.deep.equal(new Set(['(set)']))
  })
})
