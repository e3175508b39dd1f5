import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { gatewayAudience } from '../../../common/domain/resource-names.ts'

/** Those of the runners. */
export const namespace = 'media'
export const serviceAccount = 'runner'
const issuer = 'https://cluster.example'

/** A cluster's issuer of service-account tokens. */
export async function testCluster() {
  let current = await signer('key-1')
  let loads = 0
  return {
    keys: {
      load: () => {
        loads += 1
        const keys: JSONWebKeySet = { keys: [current.publicKey] }
        return Promise.resolve({ issuer, keys })
      },
    },
    loads: () => loads,
    async rotate(keyId: string) {
      current = await signer(keyId)
    },
    forger: () => signer('key-1'),
    token: async (claims: TokenClaims, by = current) =>
      new SignJWT({
        'kubernetes.io': {
          namespace,
          pod: { name: claims.podName, uid: claims.podUid },
          serviceaccount: { name: serviceAccount, uid: 'sa' },
        },
      })
        .setProtectedHeader({ alg: 'RS256', kid: by.keyId })
        .setIssuer(claims.issuer ?? issuer)
        .setAudience(claims.audience ?? gatewayAudience)
        .setSubject(claims.subject ?? `system:serviceaccount:${namespace}:${serviceAccount}`)
        .setExpirationTime(claims.expires ?? '1h')
        .sign(by.privateKey),
  }
}

interface TokenClaims {
  readonly podName: string
  readonly podUid: string
  readonly audience?: string
  readonly issuer?: string
  readonly subject?: string
  readonly expires?: string
}

async function signer(keyId: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    keyId,
    privateKey,
    publicKey: { ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256' },
  }
}
