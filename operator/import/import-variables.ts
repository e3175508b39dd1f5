import { shape } from '../../common/settings/settings.ts'

const accounts = { type: 'array', items: { type: 'string' }, shape: shape<string[]>() } as const

interface AccountBinding {
  readonly namespace: string
  readonly accounts: readonly string[]
}

/** The operator's environment variables for objects that are applied. */
export const importVariables = {
  CLOUD_FFMPEG_DEFAULT_ACCOUNT: {
    type: 'string',
    default: 'default',
    description: 'The account of applied objects that name none.',
  },
  CLOUD_FFMPEG_APPLIED_ACCOUNTS: {
    ...accounts,
    default: ['default'],
    uniqueItems: true,
    description:
      'JSON list of the accounts that applied objects may name; default: the default account, *: all.',
  },
  CLOUD_FFMPEG_ACCOUNT_BINDINGS: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['namespace', 'accounts'],
      properties: { namespace: { type: 'string' }, accounts },
    },
    shape: shape<AccountBinding[]>(),
    default: [],
    description:
      'JSON list of {namespace, accounts}: in these namespaces they hold in place of the accounts above.',
  },
} as const
