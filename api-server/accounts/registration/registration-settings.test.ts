import { expect } from 'chai'
import { checkedSettings, variables } from '../../settings.ts'
import { environmentWith } from '../../main.fixture.ts'
import { planWith } from '../../../testing/support/plans.ts'
import { readSettings } from '../../../common/settings/settings.ts'
import { registrationSettings } from './registration-settings.ts'

const environment = environmentWith('postgres://db/media', { unlimited: planWith({}) })
const settingsOf = (more: Record<string, string>) =>
  readSettings(variables, { ...environment, ...more })

const on = {
  CLOUD_FFMPEG_REGISTRATION: 'true',
  CLOUD_FFMPEG_ACCOUNT_PLAN: 'unlimited',
  CLOUD_FFMPEG_PUBLIC_URL: 'https://media.example',
  CLOUD_FFMPEG_SMTP_HOST: 'mail.example',
  CLOUD_FFMPEG_SMTP_FROM: 'Media <noreply@media.example>',
}

describe('settings of registration', () => {
  it('requires no settings of registration while it is off', () => {
    const settings = checkedSettings(settingsOf({}))
    expect(registrationSettings(settings)).to.deep.equal({ settings: null, mistakes: [] })
  })

  it('missing settings of registration are reported all at once when it is enabled', () => {
    expect(() => checkedSettings(settingsOf({ CLOUD_FFMPEG_REGISTRATION: 'true' })))
      .to.throw(/PUBLIC_URL: is not set; CLOUD_FFMPEG_REGISTRATION needs it/)
      .with.property('message')
      .match(/SMTP_HOST: is not set/)
      .and.match(/SMTP_FROM: is not set/)
      .and.match(/ACCOUNT_PLAN: 'free' is none of the plans: unlimited/)
  })

  it('default to port 587 with STARTTLS', () => {
    expect(registrationSettings(checkedSettings(settingsOf(on))).settings).to.deep.equal({
      publicUrl: 'https://media.example',
      smtp: {
        host: 'mail.example',
        port: 587,
        tls: 'starttls',
        user: undefined,
        password: undefined,
        from: 'Media <noreply@media.example>',
      },
    })
  })

  it('refuse an address without scheme and a sender without @', () => {
    expect(() => settingsOf({ ...on, CLOUD_FFMPEG_PUBLIC_URL: 'media.example' })).to.throw(
      /PUBLIC_URL/,
    )
    expect(() => settingsOf({ ...on, CLOUD_FFMPEG_SMTP_FROM: 'Media' })).to.throw(/SMTP_FROM/)
  })
})
