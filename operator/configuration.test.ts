import { expect } from 'chai'
import { planWith } from '../testing/support/plans.ts'
import { InvalidSettings, readSettings } from '../common/settings/settings.ts'
import {
  controllerSettings,
  gatewaySettings,
  gatewayTlsFolder,
  runnerSettings,
} from './configuration.ts'
import { variables } from './settings.ts'
import type { OperatorSettings } from './settings.ts'

const environment = {
  CLOUD_FFMPEG_DATABASE_URL: 'postgres://db/x',
  CLOUD_FFMPEG_NAMESPACE: 'media',
  CLOUD_FFMPEG_POD_NAME: 'operator-0',
  CLOUD_FFMPEG_POD_UID: '0197a0c2-9d1e-4b52-9a51-2f5f0c9d1e01',
  CLOUD_FFMPEG_PLANS: JSON.stringify({
    small: planWith(),
  }),
  CLOUD_FFMPEG_GATEWAY_URL: 'http://gateway.media.svc:8090',
  CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL: 'https://cdn.example',
  CLOUD_FFMPEG_STORAGE_BUCKET: 'media',
  CLOUD_FFMPEG_STORAGE_ENDPOINT: 'http://s3.internal:7070/',
  CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT: 'https://s3.example',
  CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'id',
  CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'secret',
  CLOUD_FFMPEG_RUNNER_IMAGE: 'runner:1',
}

function settings(changes: Record<string, string> = {}) {
  return readSettings(variables, { ...environment, ...changes })
}

const controllerOf = (given: OperatorSettings) => controllerSettings(given, () => null)

describe('the operator configuration', () => {
  it('needs only the variables that the chart must set', () => {
    expect(runnerSettings(settings())).to.deep.include({
      imagePullSecrets: [],
      hostUsers: null,
      runtimeClassName: null,
      maxAttempts: 3,
    })
    expect(controllerOf(settings()).finished).to.deep.equal({
      olderThanSeconds: 60,
      keepNewest: 500,
      keepSeconds: 3600,
    })
  })

  it('lets applied objects name the default account alone, or those of their namespace', () => {
    const { accounts, storageBases } = controllerOf(settings()).imports
    expect(accounts).to.deep.equal({
      defaultAccount: 'default',
      allowed: ['default'],
      bindings: new Map(),
    })
    expect(storageBases).to.deep.equal(gatewaySettings(settings()).storageBases)
    const set = settings({
      CLOUD_FFMPEG_APPLIED_ACCOUNTS: '["*"]',
      CLOUD_FFMPEG_ACCOUNT_BINDINGS: '[{"namespace": "team-a", "accounts": ["acme"]}]',
    })
    expect(controllerOf(set).imports.accounts).to.deep.include({
      allowed: ['*'],
      bindings: new Map([['team-a', ['acme']]]),
    })
    const wrong = { CLOUD_FFMPEG_ACCOUNT_BINDINGS: '[{"namespace": "team-a"}]' }
    expect(() => settings(wrong)).to.throw(InvalidSettings, /accounts/)
  })

  it('leaves capacity, shares and reserve to Kueue, and allows more Jobs, which may be suspended', () => {
    expect(controllerOf(settings()).admission.startingPods).to.equal(null)
    const own = {
      CLOUD_FFMPEG_CAPACITY_VCPUS: '64',
      CLOUD_FFMPEG_RESERVED_SHARE: '0.2',
      CLOUD_FFMPEG_STARTING_PODS: '4',
      CLOUD_FFMPEG_RESERVE_MINUTES: '10',
    }
    const admissionIn = (changes: Record<string, string>) =>
      controllerOf(settings({ ...own, ...changes })).admission
    expect(admissionIn({})).to.include({
      liveJobs: 500,
      capacityVcpus: 64,
      learnsCapacity: true,
      reservedShare: 0.2,
      startingPods: 4,
      reserveSeconds: 600,
    })
    expect(admissionIn({ CLOUD_FFMPEG_KUEUE: 'true' })).to.include({
      liveJobs: 2_000,
      capacityVcpus: null,
      learnsCapacity: false,
      reservedShare: 0,
      startingPods: null,
    })
    const few = admissionIn({ CLOUD_FFMPEG_KUEUE: 'true', CLOUD_FFMPEG_LIVE_JOBS: '7' })
    expect(few.liveJobs).to.equal(7)
  })

  it('refuses a name that is none of a queue, and reads that of each priority class', () => {
    const kueueIn = (changes: Record<string, string>) =>
      runnerSettings(settings({ CLOUD_FFMPEG_KUEUE: 'true', ...changes })).kueue
    expect(() => kueueIn({ CLOUD_FFMPEG_KUEUE_QUEUE_NAME: 'a_{plan}' })).to.throw(
      InvalidSettings,
      "'a_{plan}' gives 'a_small', not a DNS label",
    )
    expect(kueueIn({ CLOUD_FFMPEG_KUEUE_PRIORITY_CLASSES: '{"high":"urgent"}' })).to.deep.equal({
      queueName: 'cloud-ffmpeg-{plan}',
      priorityClasses: { low: null, normal: null, high: 'urgent' },
      maxEvictions: 10,
    })
    expect(runnerSettings(settings()).kueue).to.equal(null)
  })

  it('refuses a profile that falls back to none, or to another one on spot nodes', () => {
    const profilesWith = (fallback: string | null) => {
      const profiles = { spot: { spot: { fallback } }, other: { spot: {} }, stable: {} }
      return runnerSettings(settings({ CLOUD_FFMPEG_RUNNER_PROFILES: JSON.stringify(profiles) }))
        .profiles
    }
    for (const fallback of ['missing', 'other', 'spot']) {
      const sentence = `spot falls back to '${fallback}', which must be a profile without spot`
      expect(() => profilesWith(fallback)).to.throw(InvalidSettings, sentence)
    }
    expect(profilesWith('stable')['other']?.spot).to.deep.equal({ fallback: null })
    expect(profilesWith(null)['spot']?.spot).to.deep.equal({ fallback: null })
  })

  it('returns every address of its own storage', () => {
    expect(gatewaySettings(settings()).storageBases).to.deep.equal([
      'https://cdn.example',
      'http://s3.internal:7070/media',
      'https://s3.example/media',
    ])
    const hosts = settings({ CLOUD_FFMPEG_STORAGE_PATH_STYLE: 'false' })
    expect(gatewaySettings(hosts).storageBases).to.include('https://media.s3.example')
    const below = settings({ CLOUD_FFMPEG_STORAGE_PREFIX: 'video/' })
    expect(gatewaySettings(below).storageBases).to.include('https://s3.example/media/video')
  })

  it('never lets an input URL reach database or gateway, for any allowed ranges', () => {
    const { network } = gatewaySettings(
      settings({
        CLOUD_FFMPEG_DATABASE_URL: 'postgres://user:secret@10.0.0.5/media',
        CLOUD_FFMPEG_GATEWAY_URL: 'http://gateway.media.svc:8090',
        CLOUD_FFMPEG_ALLOW_CIDRS: '["10.0.0.0/8"]',
        CLOUD_FFMPEG_DENY_ENDPOINTS: '["intranet:80"]',
      }),
    )
    expect(network.denyEndpoints).to.deep.equal([
      '10.0.0.5:5432',
      'gateway.media.svc:8090',
      'intranet:80',
    ])
  })

  it('sweeps a lost attempt ten minutes after its last URL has expired, or later', () => {
    expect(controllerOf(settings()).sweepObjectsAfterSeconds).to.equal(1_800)
    const seconds = (put: string, sweep: string) =>
      controllerOf(
        settings({ CLOUD_FFMPEG_PUT_URL_SECONDS: put, CLOUD_FFMPEG_SWEEP_OBJECTS_SECONDS: sweep }),
      ).sweepObjectsAfterSeconds
    expect(seconds('1200', '1800')).to.equal(1_800)
    expect(() => seconds('1201', '1800')).to.throw(InvalidSettings, '+ 600, 1801; got 1800')
  })

  it('turns TLS of the gateway on only where runners use it', () => {
    const tls = {
      CLOUD_FFMPEG_GATEWAY_URL: 'https://gateway.media.svc:8090',
      CLOUD_FFMPEG_GATEWAY_TLS_FOLDER: '/etc/gateway-tls',
    }
    expect(gatewayTlsFolder(settings())).to.equal(null)
    expect(gatewayTlsFolder(settings(tls))).to.equal('/etc/gateway-tls')
    for (const name of Object.keys(tls)) {
      const { [name]: _, ...rest } = tls as Record<string, string>
      expect(() => gatewayTlsFolder(settings(rest)), `without ${name}`).to.throw(InvalidSettings)
    }
  })

  it('distinguishes false from unset', () => {
    const off = settings({ CLOUD_FFMPEG_RUNNER_HOST_USERS: 'false' })
    expect(runnerSettings(off).hostUsers).to.equal(false)
  })
})
