{{- define "cloud-ffmpeg.databaseSecret" -}}
{{- if .Values.evaluation.enabled }}{{ include "cloud-ffmpeg.evaluationSecret" . }}{{ else -}}
{{- .Values.database.existingSecret.name | default (printf "%s-database" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.storageSecret" -}}
{{- if .Values.evaluation.enabled }}{{ include "cloud-ffmpeg.evaluationSecret" . }}{{ else -}}
{{- .Values.storage.existingSecret.name | default (printf "%s-storage" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.bootstrapSecret" -}}
{{- .Values.bootstrap.existingSecret | default (printf "%s-bootstrap" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}

{{/* The API server writes its own entry; a Secret of the user may have another. */}}
{{- define "cloud-ffmpeg.bootstrapSecretKey" -}}
{{- ternary .Values.bootstrap.existingSecretKey "api-key" (not (empty .Values.bootstrap.existingSecret)) -}}
{{- end -}}

{{- define "cloud-ffmpeg.smtpSecret" -}}
{{- .Values.smtp.existingSecret.name | default (printf "%s-smtp" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}

{{/* Key of the database's direct URL in its Secret; empty if there is none. */}}
{{- define "cloud-ffmpeg.directUrlKey" -}}
{{- $database := .Values.database }}
{{- if $database.existingSecret.name }}{{ $database.existingSecret.directUrlKey }}{{ else if $database.directUrl }}directUrl{{ end }}
{{- end -}}

{{/*
What this chart writes into Secrets shows in the template of the pods, so that an upgrade that changes it, or a rollback,
is over when new pods are ready.
*/}}
{{- define "cloud-ffmpeg.secretsChecksum" -}}
{{- $values := .root.Values }}
{{- $secrets := dict }}
{{- if not $values.database.existingSecret.name }}
{{- $_ := set $secrets "database" $values.database.url }}
{{- end }}
{{- if and (eq $values.storage.credentials.mode "static") (not $values.storage.existingSecret.name) }}
{{- $_ := set $secrets "storage" (list $values.storage.accessKeyId $values.storage.secretAccessKey) }}
{{- end }}
{{- if and (eq .component "api-server") $values.accounts.registration (not $values.smtp.existingSecret.name) }}
{{- $_ := set $secrets "smtp" (list $values.smtp.user $values.smtp.password) }}
{{- end }}
{{- with $values.trust.caConfigMap }}
{{- /* Servers read it at their start alone. Without a cluster to look it up in, they have to be restarted by hand. */}}
{{- $_ := set $secrets "trust" (list . (dig "data" dict (lookup "v1" "ConfigMap" $.root.Release.Namespace . | default dict))) }}
{{- end }}
{{- toJson $secrets | sha256sum }}
{{- end -}}

{{/*
JSON list of the volumes of a server (root, component): its config.json, and the Secrets with the database's URL and the
keys of the storage, since files are read again when they change, an environment is not.
*/}}
{{- define "cloud-ffmpeg.volumes" -}}
{{- $config := dict "name" "config" "configMap" (dict "name" (printf "%s-%s" (include "cloud-ffmpeg.name" .root) .component)) -}}
{{- with .root -}}
{{- $storage := .Values.storage -}}
{{- $urls := list (dict "key" .Values.database.existingSecret.key "path" "url") -}}
{{- with include "cloud-ffmpeg.directUrlKey" . }}{{ $urls = append $urls (dict "key" . "path" "directUrl") }}{{ end -}}
{{- $volumes := list $config (dict "name" "database" "secret" (dict "secretName" (include "cloud-ffmpeg.databaseSecret" .) "items" $urls)) -}}
{{- with .Values.database.caConfigMap -}}
{{- $items := list (dict "key" "ca.crt" "path" "ca.crt") -}}
{{- $volumes = append $volumes (dict "name" "database-ca" "configMap" (dict "name" . "items" $items)) -}}
{{- end -}}
{{- with .Values.trust.caConfigMap -}}
{{- $items := list (dict "key" "ca.crt" "path" "ca.crt") -}}
{{- $volumes = append $volumes (dict "name" "trust" "configMap" (dict "name" . "items" $items)) -}}
{{- end -}}
{{- if eq $storage.credentials.mode "static" -}}
{{- $items := include "cloud-ffmpeg.storageKeyItems" $storage.existingSecret | fromJsonArray -}}
{{- $volumes = append $volumes (dict "name" "storage" "secret" (dict "secretName" (include "cloud-ffmpeg.storageSecret" .) "items" $items)) -}}
{{- end -}}
{{- with $storage.presign.existingSecret -}}
{{- if .name -}}
{{- $items := include "cloud-ffmpeg.storageKeyItems" . | fromJsonArray -}}
{{- $volumes = append $volumes (dict "name" "storage-presign" "secret" (dict "secretName" .name "items" $items)) -}}
{{- end -}}
{{- end -}}
{{- toJson $volumes -}}
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.storageKeyItems" -}}
{{- list (dict "key" .accessKeyIdKey "path" "accessKeyId") (dict "key" .secretAccessKeyKey "path" "secretAccessKey") | toJson -}}
{{- end -}}

{{/* JSON list of where a container has them. */}}
{{- define "cloud-ffmpeg.mounts" -}}
{{- $mounts := list -}}
{{- range include "cloud-ffmpeg.volumes" . | fromJsonArray -}}
{{- $mounts = append $mounts (dict "name" .name "mountPath" (printf "/etc/cloud-ffmpeg/%s" .name) "readOnly" true) -}}
{{- end -}}
{{- toJson $mounts -}}
{{- end -}}
