import { expect } from 'chai'
import { parsePod } from './pods.ts'
import { UnexpectedShape } from '../read-json.ts'

describe('parsing a pod', () => {
  it('keeps the fields that decide', () => {
    const pod = parsePod({
      metadata: {
        ...metadata,
        labels: { a: 'b' },
        managedFields: [{}],
        deletionTimestamp: '2026-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 15,
      },
      spec: {
        nodeName: 'node',
        containers: [
          { name: 'ffmpeg', resources: { requests: { cpu: '10m' }, limits: { memory: '2Gi' } } },
          { name: 'transfer' },
        ],
      },
      status: {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
        startTime: '2026-01-01T00:00:00Z',
        conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }],
        containerStatuses: [
          {
            name: 'ffmpeg',
            ready: false,
            restartCount: 0,
            resources: { requests: { cpu: '10m' } },
            state: {
              terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: 's', finishedAt: 'f' },
            },
          },
          {
            name: 'transfer',
            ready: true,
            restartCount: 1,
            state: { running: { startedAt: 's' } },
            lastState: { terminated: { exitCode: 1, startedAt: 's', finishedAt: 'f' } },
          },
          {
            name: 'other',
            state: { waiting: { reason: 'ErrImagePull', message: 'no such image' } },
          },
        ],
      },
    })
    expect(pod).to.deep.equal({
      metadata: {
        ...metadata,
        labels: { a: 'b' },
        annotations: {},
        finalizers: [],
        ownerReferences: [],
        deletionTimestamp: '2026-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 15,
      },
      spec: {
        nodeName: 'node',
        containers: [
          { name: 'ffmpeg', requests: { cpu: '10m' }, limits: { memory: '2Gi' } },
          { name: 'transfer', requests: {}, limits: {} },
        ],
      },
      status: {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
        startTime: '2026-01-01T00:00:00Z',
        conditions: [
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'EvictionByEvictionAPI',
            message: null,
            lastTransitionTime: null,
          },
        ],
        containers: [
          {
            name: 'ffmpeg',
            ready: false,
            showsResources: true,
            restartCount: 0,
            state: {
              kind: 'terminated',
              exitCode: 137,
              signal: null,
              reason: 'OOMKilled',
              message: null,
              startedAt: 's',
              finishedAt: 'f',
            },
            lastState: null,
          },
          {
            name: 'transfer',
            ready: true,
            showsResources: false,
            restartCount: 1,
            state: { kind: 'running', startedAt: 's' },
            lastState: {
              kind: 'terminated',
              exitCode: 1,
              signal: null,
              reason: null,
              message: null,
              startedAt: 's',
              finishedAt: 'f',
            },
          },
          {
            name: 'other',
            ready: false,
            showsResources: false,
            restartCount: 0,
            state: { kind: 'waiting', reason: 'ErrImagePull', message: 'no such image' },
            lastState: null,
          },
        ],
      },
    })
  })

  it('reads a pod without a phase', () => {
    const { spec, status } = parsePod({ metadata })
    expect(spec.nodeName).to.equal(null)
    expect(status).to.deep.include({ phase: 'Pending', conditions: [], containers: [] })
  })

  it('names what is wrong with something else', () => {
    expect(() => parsePod({ metadata: { name: 'a' } })).to.throw(UnexpectedShape, 'uid is not text')
    expect(() => parsePod('<html>')).to.throw(UnexpectedShape, 'Pod is not an object')
  })

  const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7' }
})
