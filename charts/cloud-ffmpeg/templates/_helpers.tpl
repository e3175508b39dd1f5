{{/* The beginning of the names of all objects. */}}
{{- define "cloud-ffmpeg.name" -}}
{{- $own := .Values.nameOverride -}}
{{- $name := .Release.Name -}}
{{- if and $own (not (contains $own .Release.Name)) }}{{ $name = printf "%s-%s" .Release.Name $own }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "cloud-ffmpeg.runnerNamespace" -}}
{{- .Values.runner.namespace | default .Release.Namespace -}}
{{- end -}}

{{/* JSON list of the namespaces in which objects are accepted, that of the service's own first. */}}
{{- define "cloud-ffmpeg.watchedNamespaces" -}}
{{- prepend .Values.operator.watchNamespaces (include "cloud-ffmpeg.runnerNamespace" .) | uniq | toJson -}}
{{- end -}}

{{- define "cloud-ffmpeg.storageEndpoint" -}}
{{- if .Values.evaluation.enabled -}}
http://{{ include "cloud-ffmpeg.evaluationHost" (dict "root" . "component" "evaluation-storage") }}:7070
{{- else -}}
{{- .Values.storage.endpoint -}}
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.storageBucket" -}}
{{- ternary "cloud-ffmpeg" .Values.storage.bucket .Values.evaluation.enabled -}}
{{- end -}}

{{- define "cloud-ffmpeg.publicEndpoint" -}}
{{- $given := ternary .Values.evaluation.storageUrl .Values.storage.publicEndpoint .Values.evaluation.enabled -}}
{{- $given | default (include "cloud-ffmpeg.storageEndpoint" .) -}}
{{- end -}}

{{- define "cloud-ffmpeg.publicBaseUrl" -}}
{{- $bucket := printf "%s/%s" (trimSuffix "/" (include "cloud-ffmpeg.publicEndpoint" .)) (include "cloud-ffmpeg.storageBucket" .) -}}
{{- .Values.storage.publicBaseUrl | default (printf "%s/%s" $bucket .Values.storage.prefix | trimSuffix "/") -}}
{{- end -}}

{{/* Text where the operator may list and create Events in all namespaces. */}}
{{- define "cloud-ffmpeg.noticeForeign" -}}
{{- if and .Values.operator.noticeForeign .Values.rbac.clusterRoles }}true{{ end -}}
{{- end -}}

{{/* Environment that both servers read. */}}
{{- define "cloud-ffmpeg.commonEnv" -}}
- name: CLOUD_FFMPEG_DATABASE_URL_FILE
  value: /etc/cloud-ffmpeg/database/url
- name: CLOUD_FFMPEG_INSTALLATION
  value: {{ printf "%s/%s" .Release.Namespace (include "cloud-ffmpeg.name" .) | quote }}
- name: CLOUD_FFMPEG_DATABASE_POOLER
  value: {{ .Values.database.pooler | quote }}
{{- if include "cloud-ffmpeg.directUrlKey" . }}
- name: CLOUD_FFMPEG_DATABASE_DIRECT_URL_FILE
  value: /etc/cloud-ffmpeg/database/directUrl
{{- end }}
{{- if .Values.database.caConfigMap }}
- name: CLOUD_FFMPEG_DATABASE_CA_FILE
  value: /etc/cloud-ffmpeg/database-ca/ca.crt
{{- end }}
{{- if .Values.trust.caConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/cloud-ffmpeg/trust/ca.crt
{{- end }}
- name: CLOUD_FFMPEG_NAMESPACE
  value: {{ include "cloud-ffmpeg.runnerNamespace" . | quote }}
- name: CLOUD_FFMPEG_LOG_LEVEL
  value: {{ .Values.logLevel | quote }}
- name: CLOUD_FFMPEG_METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
- name: CLOUD_FFMPEG_PLANS
  value: {{ .Values.plans | toJson | quote }}
- name: CLOUD_FFMPEG_STORAGE_ENDPOINT
  value: {{ include "cloud-ffmpeg.storageEndpoint" . | quote }}
- name: CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL
  value: {{ include "cloud-ffmpeg.publicBaseUrl" . | quote }}
- name: CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT
  value: {{ include "cloud-ffmpeg.publicEndpoint" . | quote }}
- name: CLOUD_FFMPEG_STORAGE_BUCKET
  value: {{ include "cloud-ffmpeg.storageBucket" . | quote }}
- name: CLOUD_FFMPEG_STORAGE_PREFIX
  value: {{ .Values.storage.prefix | quote }}
- name: CLOUD_FFMPEG_STORAGE_REGION
  value: {{ .Values.storage.region | quote }}
- name: CLOUD_FFMPEG_STORAGE_PATH_STYLE
  value: {{ .Values.storage.pathStyle | quote }}
- name: CLOUD_FFMPEG_STORAGE_BULK_DELETE
  value: {{ .Values.storage.bulkDelete | quote }}
- name: CLOUD_FFMPEG_STORAGE_CREDENTIALS
  value: {{ .Values.storage.credentials.mode | quote }}
{{- if eq .Values.storage.credentials.mode "static" }}
- name: CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER
  value: /etc/cloud-ffmpeg/storage
{{- end }}
{{- if .Values.storage.presign.existingSecret.name }}
- name: CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER
  value: /etc/cloud-ffmpeg/storage-presign
{{- end }}
- name: CLOUD_FFMPEG_ALLOW_CIDRS
  value: {{ .Values.network.allowCidrs | toJson | quote }}
- name: CLOUD_FFMPEG_DENY_CIDRS
  value: {{ .Values.network.denyCidrs | toJson | quote }}
{{- $own := list (printf "%s-api-server.%s.svc:%v" (include "cloud-ffmpeg.name" .) .Release.Namespace .Values.apiServer.service.port) (printf "%s:%v" (include "cloud-ffmpeg.gatewayHost" .) .Values.gateway.port) (printf "%s:%v" (include "cloud-ffmpeg.gatewayHost" .) .Values.gateway.tls.port) "kubernetes.default.svc:443" }}
- name: CLOUD_FFMPEG_DENY_ENDPOINTS
  value: {{ concat $own .Values.network.denyEndpoints (.Values.network.kubernetesApi | default list) | toJson | quote }}
- name: CLOUD_FFMPEG_READ_KUBERNETES_API
  value: {{ include "cloud-ffmpeg.readsKubernetesApi" . | eq "true" | quote }}
{{- end -}}

{{- define "cloud-ffmpeg.operatorEnv" -}}
{{- if ge (float64 .Values.operator.stopSeconds) (float64 .Values.operator.leaseSeconds) }}
{{- fail (printf "operator.stopSeconds %v must be below operator.leaseSeconds %v: the leader has to stop before another replica may take over" .Values.operator.stopSeconds .Values.operator.leaseSeconds) }}
{{- end }}
{{- if gt (mulf 2 .Values.operator.renewSeconds) (float64 .Values.operator.stopSeconds) }}
{{- fail (printf "operator.renewSeconds %v must be at most half of operator.stopSeconds %v: one renewal has to be able to fail" .Values.operator.renewSeconds .Values.operator.stopSeconds) }}
{{- end }}
- name: CLOUD_FFMPEG_POD_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
- name: CLOUD_FFMPEG_POD_UID
  valueFrom: { fieldRef: { fieldPath: metadata.uid } }
- name: CLOUD_FFMPEG_POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
- name: CLOUD_FFMPEG_RELEASE
  value: {{ .Release.Name | quote }}
- name: CLOUD_FFMPEG_WATCH_NAMESPACES
  value: {{ .Values.operator.watchNamespaces | toJson | quote }}
- name: CLOUD_FFMPEG_LEASE_NAMESPACE
  value: {{ .Release.Namespace | quote }}
- name: CLOUD_FFMPEG_LEASE_NAME
  value: {{ include "cloud-ffmpeg.name" . }}-operator
- name: CLOUD_FFMPEG_DEFAULT_ACCOUNT
  value: {{ .Values.operator.defaultAccount | quote }}
- name: CLOUD_FFMPEG_APPLIED_ACCOUNTS
  value: {{ .Values.operator.appliedAccounts | toJson | quote }}
- name: CLOUD_FFMPEG_ACCOUNT_BINDINGS
  value: {{ .Values.accountPolicy.bindings | toJson | quote }}
- name: CLOUD_FFMPEG_NOTICE_FOREIGN
  value: {{ not (empty (include "cloud-ffmpeg.noticeForeign" .)) | quote }}
{{ include "cloud-ffmpeg.gatewayEnv" . }}
- name: CLOUD_FFMPEG_RUNNER_IMAGE
  value: {{ include "cloud-ffmpeg.image" (dict "root" . "component" "runner" "of" .Values.runner) | quote }}
- name: CLOUD_FFMPEG_RUNNER_IMAGE_PULL_POLICY
  value: {{ .Values.image.pullPolicy | quote }}
{{- $secrets := list }}
{{- range include "cloud-ffmpeg.pullSecrets" . | fromJsonArray }}{{ $secrets = append $secrets .name }}{{ end }}
- name: CLOUD_FFMPEG_RUNNER_IMAGE_PULL_SECRETS
  value: {{ $secrets | toJson | quote }}
- name: CLOUD_FFMPEG_RUNNER_SERVICE_ACCOUNT
  value: {{ include "cloud-ffmpeg.name" . }}-runner
{{- with .Values.trust.caConfigMap }}
- name: CLOUD_FFMPEG_TRUST_CA_CONFIG_MAP
  value: {{ . | quote }}
{{- end }}
- name: CLOUD_FFMPEG_RUNNER_NODE_SELECTOR
  value: {{ include "cloud-ffmpeg.nodeSelector" (dict "root" . "given" .Values.runner.nodeSelector) | quote }}
- name: CLOUD_FFMPEG_RUNNER_TOLERATIONS
  value: {{ .Values.runner.tolerations | toJson | quote }}
{{ include "cloud-ffmpeg.runnerPodEnv" . }}
- name: CLOUD_FFMPEG_RUNNER_PRIORITY_CLASS
  value: {{ .Values.runner.priorityClassName | quote }}
- name: CLOUD_FFMPEG_RUNNER_RUNTIME_CLASS
  value: {{ .Values.runner.runtimeClassName | quote }}
{{- if kindIs "bool" .Values.runner.hostUsers }}
- name: CLOUD_FFMPEG_RUNNER_HOST_USERS
  value: {{ .Values.runner.hostUsers | quote }}
{{- end }}
- name: CLOUD_FFMPEG_SANDBOX
  value: {{ .Values.runner.sandbox | quote }}
- name: CLOUD_FFMPEG_CPU_REQUEST_PER_VCPU
  value: {{ .Values.runner.cpuRequestPerVcpu | quote }}
- name: CLOUD_FFMPEG_MEMORY_REQUEST_PER_VCPU
  value: {{ .Values.runner.memoryRequestPerVcpu | quote }}
- name: CLOUD_FFMPEG_MEMORY_PER_VCPU_MBYTES
  value: {{ .Values.runner.memoryPerVcpuMbytes | quote }}
- name: CLOUD_FFMPEG_SCRATCH_MBYTES
  value: {{ .Values.runner.scratchMbytes | quote }}
{{- with .Values.runner.scratchRequestMbytes }}
- name: CLOUD_FFMPEG_SCRATCH_REQUEST_MBYTES
  value: {{ . | int64 | quote }}
{{- end }}
{{- with .Values.runner.scratch.volumeClaim }}
- name: CLOUD_FFMPEG_SCRATCH_CLAIM
  value: {{ toJson . | quote }}
{{- end }}
- name: CLOUD_FFMPEG_TRANSFER_CPU_MILLIS
  value: {{ .Values.runner.transfer.cpuMillis | quote }}
{{- with .Values.runner.transfer.cpuRequestMillis }}
- name: CLOUD_FFMPEG_TRANSFER_CPU_REQUEST_MILLIS
  value: {{ . | int64 | quote }}
{{- end }}
- name: CLOUD_FFMPEG_TRANSFER_MEMORY_MBYTES
  value: {{ .Values.runner.transfer.memoryMbytes | quote }}
- name: CLOUD_FFMPEG_TRANSFER_ALLOWANCE_SECONDS
  value: {{ .Values.runner.transferSeconds | quote }}
- name: CLOUD_FFMPEG_MAX_PIXELS
  value: {{ .Values.runner.maxPixels | int64 | quote }}
- name: CLOUD_FFMPEG_OVERLAP_INPUTS
  value: {{ .Values.runner.overlap.inputs | quote }}
- name: CLOUD_FFMPEG_OVERLAP_OUTPUTS
  value: {{ .Values.runner.overlap.outputs | quote }}
- name: CLOUD_FFMPEG_ANALYSIS_FULL_FETCH_BYTES
  value: {{ .Values.analysis.fullFetchBytes | int64 | quote }}
- name: CLOUD_FFMPEG_MAX_ATTEMPTS
  value: {{ .Values.operator.attempts | quote }}
- name: CLOUD_FFMPEG_START_ALLOWANCE_SECONDS
  value: {{ .Values.operator.startAllowanceSeconds | quote }}
{{- with .Values.operator.placeAllowanceSeconds }}
- name: CLOUD_FFMPEG_PLACE_ALLOWANCE_SECONDS
  value: {{ . | int64 | quote }}
{{- end }}
{{- with .Values.operator.liveJobs }}
- name: CLOUD_FFMPEG_LIVE_JOBS
  value: {{ . | int64 | quote }}
{{- end }}
{{- if .Values.queue.kueue.enabled }}
- name: CLOUD_FFMPEG_KUEUE
  value: 'true'
- name: CLOUD_FFMPEG_KUEUE_QUEUE_NAME
  value: {{ .Values.queue.kueue.queueName | quote }}
- name: CLOUD_FFMPEG_KUEUE_PRIORITY_CLASSES
  value: {{ .Values.queue.kueue.priorityClasses | toJson | quote }}
- name: CLOUD_FFMPEG_KUEUE_MAX_EVICTIONS
  value: {{ .Values.queue.kueue.maxEvictions | int64 | quote }}
{{- end }}
{{- if .Values.runner.warm.max }}
- name: CLOUD_FFMPEG_WARM_MIN
  value: {{ .Values.runner.warm.min | int64 | quote }}
- name: CLOUD_FFMPEG_WARM_MAX
  value: {{ .Values.runner.warm.max | int64 | quote }}
- name: CLOUD_FFMPEG_WARM_VCPU
  value: {{ .Values.runner.warm.vcpu | int64 | quote }}
- name: CLOUD_FFMPEG_WARM_RESERVE
  value: {{ .Values.runner.warm.reserve | quote }}
- name: CLOUD_FFMPEG_WARM_MAX_AGE_SECONDS
  value: {{ .Values.runner.warm.maxAgeSeconds | int64 | quote }}
- name: CLOUD_FFMPEG_WARM_IDLE_SECONDS
  value: {{ .Values.runner.warm.idleSeconds | int64 | quote }}
{{- end }}
- name: CLOUD_FFMPEG_LIVE_FILE_JOBS
  value: {{ .Values.operator.liveFileJobs | quote }}
{{- with .Values.operator.startingPods }}
- name: CLOUD_FFMPEG_STARTING_PODS
  value: {{ . | int64 | quote }}
{{- end }}
- name: CLOUD_FFMPEG_UNPLACED_PODS
  value: {{ .Values.operator.unplacedPods | int64 | quote }}
{{- with .Values.operator.capacityVcpus }}
- name: CLOUD_FFMPEG_CAPACITY_VCPUS
  value: {{ . | int64 | quote }}
{{- end }}
- name: CLOUD_FFMPEG_RESULT_OBJECTS
  value: {{ .Values.storage.resultObjects | quote }}
- name: CLOUD_FFMPEG_DATABASE_RELAXED_PROGRESS
  value: {{ .Values.database.relaxedProgress | quote }}
- name: CLOUD_FFMPEG_RESERVED_SHARE
  value: {{ .Values.operator.reservedShare | quote }}
- name: CLOUD_FFMPEG_RESERVE_MINUTES
  value: {{ .Values.operator.reserveMinutes | quote }}
- name: CLOUD_FFMPEG_LEASE_SECONDS
  value: {{ .Values.operator.leaseSeconds | quote }}
- name: CLOUD_FFMPEG_LEASE_RENEW_SECONDS
  value: {{ .Values.operator.renewSeconds | quote }}
- name: CLOUD_FFMPEG_LEASE_STOP_SECONDS
  value: {{ .Values.operator.stopSeconds | quote }}
- name: CLOUD_FFMPEG_KUBE_REQUESTS_PER_SECOND
  value: {{ .Values.operator.kubeApi.requestsPerSecond | quote }}
- name: CLOUD_FFMPEG_KUBE_BURST
  value: {{ .Values.operator.kubeApi.burst | quote }}
- name: CLOUD_FFMPEG_PASS_SECONDS
  value: {{ .Values.operator.passSeconds | quote }}
- name: CLOUD_FFMPEG_PRIORITY_AGE_SECONDS
  value: {{ .Values.operator.priorityAgeSeconds | quote }}
- name: CLOUD_FFMPEG_FINISHED_SECONDS
  value: {{ .Values.operator.keepFinishedSeconds | quote }}
- name: CLOUD_FFMPEG_FINISHED_KEEP
  value: {{ .Values.operator.keepFinished | quote }}
- name: CLOUD_FFMPEG_PUT_URL_SECONDS
  value: {{ .Values.storage.putUrlSeconds | int64 | quote }}
- name: CLOUD_FFMPEG_SWEEP_OBJECTS_SECONDS
  value: {{ .Values.storage.sweepObjectsSeconds | int64 | quote }}
{{- end -}}

{{/* How people get accounts; what is missing stops the installation instead of the first user. */}}
{{- define "cloud-ffmpeg.accountsEnv" -}}
- name: CLOUD_FFMPEG_ACCOUNT_PLAN
  value: {{ .Values.accounts.plan | quote }}
- name: CLOUD_FFMPEG_TRUSTED_PROXIES
  value: {{ .Values.api.trustedProxies | quote }}
- name: CLOUD_FFMPEG_ACCOUNT_SELF_DELETION
  value: {{ .Values.accounts.selfDeletion | quote }}
- name: CLOUD_FFMPEG_SELF_SERVICE_KEYS
  value: {{ .Values.accounts.selfServiceKeys | quote }}
{{- if .Values.accounts.registration }}
- name: CLOUD_FFMPEG_REGISTRATION
  value: 'true'
- name: CLOUD_FFMPEG_REGISTRATION_REQUESTS_PER_HOUR
  value: {{ .Values.accounts.requestsPerHour | quote }}
- name: CLOUD_FFMPEG_PUBLIC_URL
  value: {{ required "accounts.publicUrl is needed where accounts.registration is on: mails link to it" .Values.accounts.publicUrl | quote }}
- name: CLOUD_FFMPEG_SMTP_HOST
  value: {{ required "smtp.host is needed where accounts.registration is on: accounts are activated by mail" .Values.smtp.host | quote }}
- name: CLOUD_FFMPEG_SMTP_PORT
  value: {{ .Values.smtp.port | quote }}
- name: CLOUD_FFMPEG_SMTP_TLS
  value: {{ .Values.smtp.tls | quote }}
- name: CLOUD_FFMPEG_SMTP_FROM
  value: {{ required "smtp.from is needed where accounts.registration is on: the sender of mails" .Values.smtp.from | quote }}
{{- if or .Values.smtp.existingSecret.name .Values.smtp.user }}
- name: CLOUD_FFMPEG_SMTP_USER
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.smtpSecret" . | quote }}
      key: {{ .Values.smtp.existingSecret.userKey | quote }}
- name: CLOUD_FFMPEG_SMTP_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.smtpSecret" . | quote }}
      key: {{ .Values.smtp.existingSecret.passwordKey | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* "true" where a Role in the namespace default lets the servers read the addresses of the Kubernetes API, else nothing. */}}
{{- define "cloud-ffmpeg.readsKubernetesApi" -}}
{{- if and .Values.rbac.clusterRoles (kindIs "invalid" .Values.network.kubernetesApi) }}true{{ end }}
{{- end }}
