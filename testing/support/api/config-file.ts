import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Settings of a server without a cluster behind it, as the chart renders them. */
export function serverConfig(plans: Readonly<Record<string, object>>) {
  const [plan] = Object.keys(plans)
  return {
    release: { name: 'media', namespace: 'media', fullname: 'media' },
    runner: { namespace: 'media' },
    plans,
    bootstrap: { plan },
    accounts: { plan },
    storage: {
      endpoint: 'https://s3.example',
      publicBaseUrl: 'https://files.example/media',
      bucket: 'media',
    },
    // A list keeps the server from reading them in the cluster.
    network: { kubernetesApi: [] },
  }
}

/** Path of a config.json with these settings, for a server as a process of its own. */
export function configFile(config: object): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'config-')), 'config.json')
  writeFileSync(file, JSON.stringify(config))
  return file
}
