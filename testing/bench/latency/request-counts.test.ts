import { expect } from 'chai'
import { requestCounts, requestsBetween, requestOwner } from './request-counts.ts'

const metrics = `# HELP apiserver_request_total Counter of apiserver requests
# TYPE apiserver_request_total counter
apiserver_request_total{code="200",component="apiserver",dry_run="",group="cloudffmpeg.dev",resource="ffmpegcommands",scope="resource",subresource="status",verb="PATCH",version="v1alpha1"} 12
apiserver_request_total{code="409",component="apiserver",dry_run="",group="cloudffmpeg.dev",resource="ffmpegcommands",scope="resource",subresource="status",verb="PATCH",version="v1alpha1"} 3
apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="binding",verb="POST",version="v1"} 1e+02
apiserver_request_total{code="0",component="apiserver",dry_run="",group="",resource="pods",scope="cluster",subresource="",verb="WATCH",version="v1"} 7
apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="",scope="",subresource="/readyz",verb="GET",version=""} 9
apiserver_requests_total{resource="pods",verb="POST"} 5
`

describe('requestCounts', () => {
  it('adds the answers of one kind of request and leaves out watches and other paths', () => {
    expect([...requestCounts(metrics)]).to.deep.equal([
      ['PATCH ffmpegcommands.cloudffmpeg.dev/status', 15],
      ['POST pods/binding', 100],
    ])
  })

  it('counts from the first reading, and kinds of requests that it did not have', () => {
    const before = new Map([
      ['POST pods', 2],
      ['DELETE pods', 4],
    ])
    const after = new Map([
      ['POST pods', 5],
      ['DELETE pods', 4],
      ['PUT pods', 1],
    ])
    expect([...requestsBetween(before, after)]).to.deep.equal([
      ['POST pods', 3],
      ['PUT pods', 1],
    ])
  })
})

describe('requestOwner', () => {
  const cases = [
    ['PATCH ffmpegcommands.cloudffmpeg.dev/status', 'ours'],
    ['PATCH jobs.batch', 'ours'],
    ['PUT jobs.batch/status', 'kubernetes'],
    ['GET ffmpegcommands.cloudffmpeg.dev', 'kubernetes'],
    ['POST pods/binding', 'kubernetes'],
    ['POST serviceaccounts/token', 'kubernetes'],
    ['POST events', 'events'],
    ['POST events.events.k8s.io', 'events'],
    ['PUT leases.coordination.k8s.io', null],
    ['PATCH nodes/status', null],
    ['POST podtemplates', null],
  ] as const
  for (const [request, owner] of cases) {
    it(`takes ${request} for ${owner ?? 'no owner'}`, () => {
      expect(requestOwner(request)).to.equal(owner)
    })
  }
})
