import { expect } from 'chai'
import { planWith } from '../testing/support/plans.ts'
import { serverConfig } from '../testing/support/api/config-file.ts'
import { InvalidSettings } from '../common/settings/settings.ts'
import {
  controllerSettings,
  gatewaySettings,
  gatewayTlsFolder,
  runnerSettings,
} from './configuration.ts'
import { operatorSettings } from './settings.ts'
import type { OperatorSettings } from './settings.ts'

const base = {
  ...serverConfig({ small: planWith() }),
  gateway: { url: 'http://gateway.media.svc:8090' },
  storage: {
    endpoint: 'http://s3.internal:7070/',
    publicEndpoint: 'https://s3.example',
    publicBaseUrl: 'https://cdn.example',
    bucket: 'media',
  },
  runner: { namespace: 'media', image: 'runner:1' },
}

const environment = { CLOUD_FFMPEG_DATABASE_URL: 'postgres://db/x' }

type Changes = Readonly<Record<string, object>>

/** The settings with further ones in some sections. */
function settings(changes: Changes = {}, more: Readonly<Record<string, string>> = {}) {
  const sections = Object.entries(changes).map(([name, section]) => [
    name,
    { ...(base as Changes)[name], ...section },
  ])
  const config = { ...base, ...(Object.fromEntries(sections) as object) }
  return operatorSettings(config, { ...environment, ...more })
}

const controllerOf = (given: OperatorSettings) => controllerSettings(given, () => null)

describe('the operator configuration', () => {
  it('needs only the settings that the chart must set', () => {
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
      operator: { appliedAccounts: ['*'] },
      accountPolicy: { bindings: [{ namespace: 'team-a', accounts: ['acme'] }] },
    })
    expect(controllerOf(set).imports.accounts).to.deep.include({
      allowed: ['*'],
      bindings: new Map([['team-a', ['acme']]]),
    })
    const wrong = { accountPolicy: { bindings: [{ namespace: 'team-a' }] } }
    expect(() => settings(wrong)).to.throw(InvalidSettings, /accounts/)
  })

  it('leaves capacity, shares and reserve to Kueue, and allows more Jobs, which may be suspended', () => {
    expect(controllerOf(settings()).admission.startingPods).to.equal(null)
    const operator = {
      capacityVcpus: 64,
      reservedShare: 0.2,
      startingPods: 4,
      reserveMinutes: 10,
    }
    const admissionIn = (changes: Changes) =>
      controllerOf(settings({ operator, ...changes })).admission
    const queue = { kueue: { enabled: true } }
    expect(admissionIn({})).to.include({
      liveJobs: 500,
      capacityVcpus: 64,
      learnsCapacity: true,
      reservedShare: 0.2,
      startingPods: 4,
      reserveSeconds: 600,
    })
    expect(admissionIn({ queue })).to.include({
      liveJobs: 2_000,
      capacityVcpus: null,
      learnsCapacity: false,
      reservedShare: 0,
      startingPods: null,
    })
    const few = admissionIn({ queue, operator: { liveJobs: 7 } })
    expect(few.liveJobs).to.equal(7)
  })

  it('refuses a name that is none of a queue, and reads that of each priority class', () => {
    const kueueIn = (kueue: object) =>
      runnerSettings(settings({ queue: { kueue: { enabled: true, ...kueue } } })).kueue
    expect(() => kueueIn({ queueName: 'a_{plan}' })).to.throw(
      InvalidSettings,
      "'a_{plan}' gives 'a_small', not a DNS label",
    )
    expect(kueueIn({ priorityClasses: { high: 'urgent' } })).to.deep.equal({
      queueName: 'cloud-ffmpeg-{plan}',
      priorityClasses: { low: null, normal: null, high: 'urgent' },
      maxEvictions: 10,
    })
    expect(runnerSettings(settings()).kueue).to.equal(null)
  })

  it('refuses a profile that falls back to none, or to another one on spot nodes', () => {
    const profilesWith = (fallback: string | null) => {
      const profiles = { spot: { spot: { fallback } }, other: { spot: {} }, stable: {} }
      return runnerSettings(settings({ runner: { profiles } })).profiles
    }
    for (const fallback of ['missing', 'other', 'spot']) {
      const sentence = `runner.profiles.spot.spot.fallback must be one of runner.profiles without spot; got '${fallback}'`
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
    const hosts = settings({ storage: { pathStyle: false } })
    expect(gatewaySettings(hosts).storageBases).to.include('https://media.s3.example')
    const below = settings({ storage: { prefix: 'video/' } })
    expect(gatewaySettings(below).storageBases).to.include('https://s3.example/media/video')
  })

  it('the configuration never lets an input URL reach database or gateway, for any allowed ranges', () => {
    const { network } = gatewaySettings(
      settings(
        {
          network: {
            allowCidrs: ['10.0.0.0/8'],
            ownEndpoints: ['kubernetes.default.svc:443'],
            denyEndpoints: ['intranet:80'],
            kubernetesApi: ['10.0.0.1:6443'],
          },
        },
        { CLOUD_FFMPEG_DATABASE_URL: 'postgres://user:secret@10.0.0.5/media' },
      ),
    )
    expect(network.denyEndpoints).to.deep.equal([
      '10.0.0.5:5432',
      'gateway.media.svc:8090',
      'kubernetes.default.svc:443',
      'intranet:80',
      '10.0.0.1:6443',
    ])
  })

  it('sweeps a lost attempt ten minutes after its last URL has expired, or later', () => {
    expect(controllerOf(settings()).sweepObjectsAfterSeconds).to.equal(1_800)
    const seconds = (putUrlSeconds: number, sweepObjectsSeconds: number) =>
      controllerOf(settings({ storage: { putUrlSeconds, sweepObjectsSeconds } }))
        .sweepObjectsAfterSeconds
    expect(seconds(1_200, 1_800)).to.equal(1_800)
    expect(() => seconds(1_201, 1_800)).to.throw(InvalidSettings, '+ 600, 1801; got 1800')
  })

  it('turns TLS of the gateway on only where runners use it', () => {
    const https = { gateway: { url: 'https://gateway.media.svc:8090' } }
    const folder = { CLOUD_FFMPEG_GATEWAY_TLS_FOLDER: '/etc/gateway-tls' }
    expect(gatewayTlsFolder(settings())).to.equal(null)
    expect(gatewayTlsFolder(settings(https, folder))).to.equal('/etc/gateway-tls')
    expect(() => gatewayTlsFolder(settings(https))).to.throw(InvalidSettings)
    expect(() => gatewayTlsFolder(settings({}, folder))).to.throw(InvalidSettings)
  })

  it('distinguishes false from unset', () => {
    const off = settings({ runner: { hostUsers: false } })
    expect(runnerSettings(off).hostUsers).to.equal(false)
  })
})
