import { expect } from 'chai'
import { settingsShown } from './settings-shown.ts'
import { variables } from '../../settings.ts'

describe('the settings in a support bundle', () => {
  it('settings in a support bundle have no secret in them, and nothing of other programs', () => {
    const shown = settingsShown({
      PGPASSWORD: 'private',
      CLOUD_FFMPEG_DATABASE_URL: 'postgres://user:private@db/x',
      CLOUD_FFMPEG_STORAGE_ENDPOINT: 'https://user:private@s3.example/?signature=private',
      CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'private',
      CLOUD_FFMPEG_PORT: '8080',
    })
    expect(shown).to.deep.equal({
      CLOUD_FFMPEG_DATABASE_URL: '(set)',
      CLOUD_FFMPEG_PORT: '8080',
      CLOUD_FFMPEG_STORAGE_ENDPOINT: 'https://…@s3.example/?…',
      CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: '(set)',
    })
  })

  it('hide each variable of the API server that can hold a credential', () => {
    const values = Object.fromEntries(Object.keys(variables).map((name) => [name, 'x']))
    const hidden = Object.entries(settingsShown(values)).filter(([, value]) => value === '(set)')
    expect(hidden.map(([name]) => name.replace('CLOUD_FFMPEG_', ''))).to.deep.equal([
      // a place, and not the key: its name alone hides it

      'BOOTSTRAP_API_KEY',
      'BOOTSTRAP_SECRET',
      'DATABASE_DIRECT_URL',
      'DATABASE_URL',
      'SMTP_PASSWORD',
      'SMTP_USER',
      'STORAGE_ACCESS_KEY_ID',
      'STORAGE_SECRET_ACCESS_KEY',
    ])
  })
})
