{{/* How the gateway has its certificate. YAML reads an unquoted off as false. */}}
{{- define "cloud-ffmpeg.gatewayTlsMode" -}}
{{- if kindIs "bool" .Values.gateway.tls.mode }}off{{ else }}{{ .Values.gateway.tls.mode }}{{ end -}}
{{- end -}}

{{/* Text while the gateway speaks TLS, and while it speaks plain HTTP. */}}
{{- define "cloud-ffmpeg.gatewayTls" -}}
{{- if ne (include "cloud-ffmpeg.gatewayTlsMode" .) "off" }}true{{ end -}}
{{- end -}}

{{- define "cloud-ffmpeg.gatewayPlain" -}}
{{- if or (not (include "cloud-ffmpeg.gatewayTls" .)) .Values.gateway.tls.plainHttp }}true{{ end -}}
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
{{- $host := include "cloud-ffmpeg.gatewayHostOfRunners" . -}}
{{- if include "cloud-ffmpeg.gatewayTls" . -}}
https://{{ $host }}:{{ .Values.gateway.tls.port }}
{{- else -}}
http://{{ $host }}:{{ .Values.gateway.port }}
{{- end -}}
{{- end -}}

{{/* JSON list of the names by which a certificate may be asked for. */}}
{{- define "cloud-ffmpeg.gatewayDnsNames" -}}
{{- $service := printf "%s-gateway" (include "cloud-ffmpeg.name" .) -}}
{{- $qualified := printf "%s.%s" $service .Release.Namespace -}}
{{- list $service $qualified (printf "%s.svc" $qualified) (printf "%s.svc.cluster.local" $qualified) | toJson -}}
{{- end -}}

{{- define "cloud-ffmpeg.gatewayTlsSecret" -}}
{{- $mode := include "cloud-ffmpeg.gatewayTlsMode" . -}}
{{- $name := include "cloud-ffmpeg.name" . -}}
{{- if eq $mode "existingSecret" -}}
{{ .Values.gateway.tls.existingSecret }}
{{- else if eq $mode "certManager" -}}
{{ $name }}-gateway-certificate
{{- else -}}
{{ $name }}-gateway-tls
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.gatewayCaConfigMap" -}}
{{- .Values.gateway.tls.caConfigMap | default (printf "%s-gateway-ca" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}

{{/* Named ports of the operator's pods at which runners may reach the gateway, as of a NetworkPolicy. */}}
{{- define "cloud-ffmpeg.gatewayPorts" -}}
{{- $ports := list -}}
{{- if include "cloud-ffmpeg.gatewayPlain" . }}{{ $ports = append $ports (dict "port" "gateway") }}{{ end -}}
{{- if include "cloud-ffmpeg.gatewayTls" . }}{{ $ports = append $ports (dict "port" "gateway-tls") }}{{ end -}}
{{- toJson $ports -}}
{{- end -}}

{{- define "cloud-ffmpeg.gatewayEnv" -}}
- name: CLOUD_FFMPEG_GATEWAY_PORT
  value: '8090'
- name: CLOUD_FFMPEG_GATEWAY_URL
  value: {{ include "cloud-ffmpeg.gatewayUrl" . | quote }}
- name: CLOUD_FFMPEG_GATEWAY_CONNECTIONS_PER_ADDRESS
  value: {{ .Values.gateway.connectionsPerAddress | quote }}
- name: CLOUD_FFMPEG_GATEWAY_IN_FLIGHT_MBYTES
  value: {{ .Values.gateway.maxInFlightMbytes | quote }}
{{- with .Values.gateway.connections }}
- name: CLOUD_FFMPEG_GATEWAY_CONNECTIONS
  value: {{ . | int64 | quote }}
{{- end }}
{{- if include "cloud-ffmpeg.gatewayTls" . }}
- name: CLOUD_FFMPEG_GATEWAY_TLS_FOLDER
  value: /etc/cloud-ffmpeg/gateway-tls
- name: CLOUD_FFMPEG_GATEWAY_TLS_PORT
  value: '8443'
- name: CLOUD_FFMPEG_GATEWAY_PLAIN_HTTP
  value: {{ .Values.gateway.tls.plainHttp | quote }}
- name: CLOUD_FFMPEG_GATEWAY_CA_CONFIG_MAP
  value: {{ include "cloud-ffmpeg.gatewayCaConfigMap" . | quote }}
{{- end }}
{{- end -}}

{{/* The Secret as a volume. Without ca.crt in it the operator writes no ConfigMap. */}}
{{- define "cloud-ffmpeg.gatewayTlsVolume" -}}
- name: gateway-tls
  secret:
    secretName: {{ include "cloud-ffmpeg.gatewayTlsSecret" . | quote }}
    items:
      - { key: tls.crt, path: tls.crt }
      - { key: tls.key, path: tls.key }
      {{- if not .Values.gateway.tls.caConfigMap }}
      - { key: ca.crt, path: ca.crt }
      {{- end }}
{{- end -}}
