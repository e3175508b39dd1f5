import { expect } from 'chai'
import { planWith } from '../../../testing/support/plans.ts'
import { serverConfig } from '../../../testing/support/api/config-file.ts'
import { apiServerSettings } from '../../settings.ts'
import { registrationSettings } from './registration-settings.ts'

const settingsOf = (more: object) =>
  apiServerSettings(
    { ...serverConfig({ unlimited: planWith({}) }), ...more },
    { CLOUD_FFMPEG_DATABASE_URL: 'postgres://db/media' },
  )

const accounts = { registration: true, plan: 'unlimited', publicUrl: 'https://media.example' }
const smtp = { host: 'mail.example', from: 'Media <noreply@media.example>' }

describe('settings of registration', () => {
  it('requires no settings of registration while it is off', () => {
    expect(registrationSettings(settingsOf({}))).to.deep.equal({ settings: null, mistakes: [] })
  })

  it('missing settings of registration are reported all at once when it is enabled', () => {
    expect(() => settingsOf({ accounts: { registration: true } }))
      .to.throw(/accounts.publicUrl must be set where accounts.registration is true/)
      .with.property('message')
      .match(/smtp.host must be set/)
      .and.match(/smtp.from must be set/)
      .and.match(/accounts.plan must be one of plans, unlimited; got 'free'/)
  })

  it('default to port 587 with STARTTLS', () => {
    expect(registrationSettings(settingsOf({ accounts, smtp })).settings).to.deep.equal({
      publicUrl: 'https://media.example',
      smtp: { ...smtp, port: 587, tls: 'starttls', user: undefined, password: undefined },
    })
  })

  it('the settings refuse an address without scheme and a sender without @', () => {
    const wrong = { accounts: { ...accounts, publicUrl: 'media.example' }, smtp }
    expect(() => settingsOf(wrong)).to.throw(/accounts.publicUrl must match pattern/)
    expect(() => settingsOf({ accounts, smtp: { ...smtp, from: 'Media' } })).to.throw(/smtp.from/)
  })
})
