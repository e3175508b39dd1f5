{{/* Name of the Secret with the gateway's certificate; empty while it speaks plain HTTP. */}}
{{- define "cloud-ffmpeg.gatewayTlsSecret" -}}
{{- $tls := .Values.gateway.tls -}}
{{- if $tls.certManager.issuerRef.name -}}
{{ include "cloud-ffmpeg.name" . }}-gateway-certificate
{{- else -}}
{{ $tls.existingSecret }}
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.gatewayHost" -}}
{{ include "cloud-ffmpeg.name" . }}-gateway.{{ .Release.Namespace }}.svc
{{- end -}}

{{- /* The first search domain resolves a bare name, the third a name with its namespace. */}}
{{- define "cloud-ffmpeg.gatewayHostOfRunners" -}}
{{- if eq (include "cloud-ffmpeg.watchedNamespaces" .) (list .Release.Namespace | toJson) -}}
{{ include "cloud-ffmpeg.name" . }}-gateway
{{- else -}}
{{ include "cloud-ffmpeg.gatewayHost" . }}
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.gatewayUrl" -}}
{{- $scheme := ternary "https" "http" (not (empty (include "cloud-ffmpeg.gatewayTlsSecret" .))) -}}
{{ $scheme }}://{{ include "cloud-ffmpeg.gatewayHostOfRunners" . }}:{{ .Values.gateway.port }}
{{- end -}}

{{/* JSON list of the names by which a certificate may be asked for. */}}
{{- define "cloud-ffmpeg.gatewayDnsNames" -}}
{{- $service := printf "%s-gateway" (include "cloud-ffmpeg.name" .) -}}
{{- $qualified := printf "%s.%s" $service .Release.Namespace -}}
{{- list $service $qualified (printf "%s.svc" $qualified) (printf "%s.svc.cluster.local" $qualified) | toJson -}}
{{- end -}}
