import { expect } from 'chai'
import { lookup } from 'node:dns/promises'
import { connectionFault } from './connection-fault.ts'
import { NotConnected } from './guarded-agents.ts'

const untrusted = 'has no valid TLS certificate'
const notTls = 'does not speak TLS: the server is not an https server'
const unresolved = 'has a host name that could not be resolved'

describe('what ended a connection', () => {
  const sentences: Record<string, readonly string[]> = {
    [untrusted]: [
      'UNSPECIFIED',
      'INVALID_PURPOSE',
      'INVALID_CA',
      'PATH_LENGTH_EXCEEDED',
      'ERROR_IN_CERT_NOT_BEFORE_FIELD',
      'ERROR_IN_CERT_NOT_AFTER_FIELD',
      'ERROR_IN_CRL_LAST_UPDATE_FIELD',
      'CRL_HAS_EXPIRED',
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [notTls]: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
    'failed the TLS handshake': [
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
      'ERR_SSL_DH_KEY_TOO_SMALL',
      'ERR_TLS_PROTOCOL_VERSION_CONFLICT',
    ],
    [unresolved]: ['EAI_FAIL', 'EAI_AGAIN'],
    'cannot be reached': ['EAFNOSUPPORT', 'EPERM', 'EACCES', 'EINVAL', 'ENETDOWN', 'EWHATEVER'],
  }
  for (const [sentence, codes] of Object.entries(sentences)) {
    it(`says that the server ${sentence}`, () => {
      const sentences = codes.map((code) => connectionFault(notConnected(code))?.sentence)
      expect(sentences).to.deep.equal(codes.map(() => sentence))
    })
  }

  it('the name is at fault when the resolver rejects it, or fails for any reason', () => {
    expect(connectionFault(notConnected('EINVAL', 'getaddrinfo'))).to.deep.equal({
      sentence: 'has a host name that does not exist',
      transient: false,
    })
    for (const [code, syscall] of [
      ['EAI_MEMORY', 'getaddrinfo'],
      ['EBADRESP', 'queryA'],
    ] as const) {
      expect(connectionFault(notConnected(code, syscall))).to.deep.equal({
        sentence: unresolved,
        transient: true,
      })
    }
  })

  it('a name that is too long for any resolver is at fault', async () => {
    const name = `${`${'x'.repeat(60)}.`.repeat(5)}com`
    const error = await lookup(name).catch((reason: unknown) => reason)
    if (!(error instanceof Error && 'code' in error)) throw new Error('it was resolved')
    const coded = Object.assign(error, { code: String(error.code) })
    expect(connectionFault(new NotConnected(name, coded))?.sentence).to.equal(
      'has a host name that does not exist',
    )
  })

  it('the server is not blamed when this process has no sockets left, or a file cannot be written', () => {
    for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) {
      expect(connectionFault(notConnected(code))).to.equal(null)
    }
    for (const code of ['EACCES', 'EPERM', 'EINVAL', 'EIO', 'ENOENT']) {
      expect(connectionFault(coded(code))).to.equal(null)
    }
    expect(connectionFault(new Error('no code'))).to.equal(null)
  })
})

function notConnected(code: string, syscall = 'connect'): NotConnected {
  return new NotConnected('media.example', coded(code, syscall))
}

function coded(code: string, syscall = 'write'): Error & { code: string; syscall: string } {
  return Object.assign(new Error(code), { code, syscall })
}
