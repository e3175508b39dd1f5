import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Instance } from '../host/instance.ts'
import { runCommand } from '../host/run-command.ts'
import { exists } from '../tools/cached.ts'
import { writeFileWhole } from '../host/write-file-whole.ts'
import type { LocalLayout } from './layout.ts'

/** Who a certificate says one is. Kubernetes reads the user from CN and the groups from O. */
interface Certificate {
  readonly name: string
  readonly subject: string
  readonly usage: 'serverAuth' | 'clientAuth'
  readonly alternativeNames?: readonly string[]
  readonly kubeconfig?: boolean
}

/** Makes the cluster's own authority, the certificates of all components and their kubeconfigs, unless they are there. */
export async function ensureCertificates(instance: Instance, layout: LocalLayout): Promise<void> {
  const done = path.join(layout.keys, 'done')
  if (await exists(done)) return
  await rm(layout.keys, { recursive: true, force: true })
  // admin.conf is the whole cluster: for no other user of this machine
  await mkdir(layout.keys, { recursive: true, mode: 0o700 })
  const openssl = (...args: string[]) => runCommand('openssl', args, { cwd: layout.keys })
  await Promise.all([authority(openssl), serviceAccountKeys(openssl)])
  await Promise.all(
    certificates(instance).map((certificate) => sign(certificate, instance, layout, openssl)),
  )
  await writeFileWhole(done, '')
}

type Openssl = (...args: string[]) => Promise<string>

function certificates(instance: Instance): Certificate[] {
  const client = (name: string, subject: string): Certificate => ({
    name,
    subject,
    usage: 'clientAuth',
    kubeconfig: true,
  })
  const service = 'kubernetes.default.svc'
  const serviceNames = ['kubernetes', 'kubernetes.default', service, `${service}.cluster.local`]
  return [
    {
      name: 'apiserver',
      subject: '/CN=kube-apiserver',
      usage: 'serverAuth',
      alternativeNames: [
        `IP:${instance.hostAddress}`,
        `IP:${instance.apiServiceAddress}`,
        'IP:127.0.0.1',
        ...['localhost', ...serviceNames].map((name) => `DNS:${name}`),
      ],
    },
    {
      name: 'kubelet-server',
      subject: `/CN=${instance.nodeName}`,
      usage: 'serverAuth',
      alternativeNames: [`IP:${instance.nodeAddress}`, `DNS:${instance.nodeName}`],
    },
    {
      name: 'apiserver-kubelet',
      subject: '/O=system:masters/CN=kube-apiserver-kubelet',
      usage: 'clientAuth',
    },
    client('admin', '/O=system:masters/CN=admin'),
    client('controller-manager', '/CN=system:kube-controller-manager'),
    client('scheduler', '/CN=system:kube-scheduler'),
    client('kubelet', `/O=system:nodes/CN=system:node:${instance.nodeName}`),
    client('proxy', '/CN=system:kube-proxy'),
  ]
}

async function authority(openssl: Openssl): Promise<void> {
  await ellipticKey(openssl, 'ca')
  await openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    'ca.key',
    '-subj',
    '/CN=cloud-ffmpeg-local',
    '-days',
    '3650',
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign,digitalSignature',
    '-out',
    'ca.crt',
  )
}

async function serviceAccountKeys(openssl: Openssl): Promise<void> {
  await openssl('genrsa', '-out', 'service-account.key', '2048')
  await openssl('rsa', '-in', 'service-account.key', '-pubout', '-out', 'service-account.pub')
}

async function sign(
  { name, subject, usage, alternativeNames, kubeconfig }: Certificate,
  instance: Instance,
  layout: LocalLayout,
  openssl: Openssl,
): Promise<void> {
  await ellipticKey(openssl, name)
  await openssl('req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`)
  const names =
    alternativeNames === undefined ? '' : `subjectAltName=${alternativeNames.join(',')}\n`
  const extensions = path.join(layout.keys, `${name}.ext`)
  await writeFile(extensions, `keyUsage=digitalSignature\nextendedKeyUsage=${usage}\n${names}`)
  await openssl(
    // every certificate draws its own serial number: a serial file would be shared by the ones that run at once
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
    '-days',
    '3650',
    '-set_serial',
    `0x${crypto.randomUUID().replaceAll('-', '').slice(0, 30)}`,
    '-extfile',
    extensions,
    '-out',
    `${name}.crt`,
  )
  if (kubeconfig === true) await writeKubeconfig(name, instance, layout)
}

async function ellipticKey(openssl: Openssl, name: string): Promise<void> {
  await openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`)
}

/** With everything embedded: the file alone is enough, wherever it is copied to. */
async function writeKubeconfig(
  name: string,
  instance: Instance,
  layout: LocalLayout,
): Promise<void> {
  const base64 = async (file: string) =>
    (await readFile(path.join(layout.keys, file))).toString('base64')
  const cluster = {
    server: `https://${instance.hostAddress}:6443`,
    'certificate-authority-data': await base64('ca.crt'),
  }
  const user = {
    'client-certificate-data': await base64(`${name}.crt`),
    'client-key-data': await base64(`${name}.key`),
  }
  const context = `cloud-ffmpeg-${instance.name}`
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: context, cluster }],
    users: [{ name, user }],
    contexts: [{ name: context, context: { cluster: context, user: name } }],
    'current-context': context,
  }
  const file = path.join(layout.keys, `${name}.conf`)
  await writeFileWhole(file, JSON.stringify(config, null, 2), { mode: 0o600 })
}
