{{/* A Job after each install and upgrade that runs `admin storage ...`: root, component, args, weight. */}}
{{- define "cloud-ffmpeg.storageJob" -}}
{{- $job := . }}
{{- with .root }}
{{- $name := printf "%s-%s" (include "cloud-ffmpeg.name" .) $job.component }}
{{- $labels := dict "root" . "component" $job.component }}
{{- $server := dict "root" . "component" "api-server" "of" .Values.apiServer }}
{{- /* A failed Job stays, because its log has the reason. */}}
{{- $hook := dict "helm.sh/hook" "post-install,post-upgrade" "helm.sh/hook-weight" $job.weight "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" }}
{{- $isOwn := eq .Values.storage.credentials.mode "static" }}
{{- if $isOwn }}
# Bound to no role and without a token: the Job talks to the storage alone.
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" $labels | nindent 2 }}
automountServiceAccountToken: false
---
{{- end }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" (merge (dict "annotations" $hook) $labels) | nindent 2 }}
spec:
  # The storage's client repeats what is transient. More pods would outlast the time that helm waits.
  backoffLimit: 1
  activeDeadlineSeconds: 120
  ttlSecondsAfterFinished: 86400
  template:
    metadata:
      {{- include "cloud-ffmpeg.metadata" $labels | nindent 6 }}
    spec:
      restartPolicy: Never
      # With the credentials of the SDK, those are of the ServiceAccount of the API server.
      serviceAccountName: {{ ternary $name (include "cloud-ffmpeg.serviceAccountName" $server) $isOwn | quote }}
      automountServiceAccountToken: false
      {{- include "cloud-ffmpeg.podBasics" $server | nindent 6 }}
      {{- include "cloud-ffmpeg.nameResolution" .Values.apiServer | nindent 6 }}
      containers:
        - name: {{ $job.component | quote }}
          {{- include "cloud-ffmpeg.containerBasics" $server | nindent 10 }}
          args: {{- concat (list "admin" "storage") $job.args | toYaml | nindent 12 }}
          env:
            {{- include "cloud-ffmpeg.commonEnv" . | nindent 12 }}
            {{- with .Values.apiServer.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- with .Values.apiServer.extraEnvFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          resources: {{- toYaml .Values.hooks.resources | nindent 12 }}
          {{- with concat (include "cloud-ffmpeg.mounts" $server | fromJsonArray) .Values.apiServer.extraVolumeMounts }}
          volumeMounts: {{- toYaml . | nindent 12 }}
          {{- end }}
      {{- with concat (include "cloud-ffmpeg.volumes" $server | fromJsonArray) .Values.apiServer.extraVolumes }}
      volumes: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- include "cloud-ffmpeg.placement" (dict "root" . "of" .Values.apiServer) | nindent 6 }}
{{- if .Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" $labels | nindent 2 }}
spec:
  podSelector:
    matchLabels: {{- include "cloud-ffmpeg.selectorLabels" $labels | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "cloud-ffmpeg.dnsEgress" . | nindent 4 }}
    - ports:
        {{- range .Values.networkPolicy.controlPlanePorts }}
        - { port: {{ . }} }
        {{- end }}
    {{- include "cloud-ffmpeg.identityEgress" . | nindent 4 }}
    {{- include "cloud-ffmpeg.evaluationEgress" (dict "root" . "components" (list "evaluation-storage")) | nindent 4 }}
{{- end }}
{{- end }}
{{- end -}}
