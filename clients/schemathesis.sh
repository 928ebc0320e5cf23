#!/bin/sh
# Throws what schemathesis can think of at the workload API of a running cluster, for ten minutes or as many seconds as
# are given: there must be no server error, and no answer that the OpenAPI document does not declare.
# Left out are the event stream, which never ends, and what changes accounts: it would lock itself out.
set -eu
token=$(curl -sS --fail-with-body --cacert "$BERTH_CA" "$BERTH_URL/api/v1/token" -H 'Content-Type: application/json' \
  -d "{\"grantType\": \"client_credentials\", \"clientId\": \"$BERTH_CLIENT_ID\", \"clientSecret\": \"$BERTH_CLIENT_SECRET\"}" |
  sed 's/.*"accessToken" *: *"\([^"]*\)".*/\1/')
document=$(mktemp)
curl -sS --fail-with-body --cacert "$BERTH_CA" "$BERTH_URL/openapi/workloads.json" -o "$document"
exec "${ST:-st}" --config-file "$(dirname "$0")/schemathesis.toml" run "$document" --url "$BERTH_URL" --tls-verify "$BERTH_CA" \
  --header "Authorization: Bearer $token" --max-time "${1:-600}" --request-timeout 60 --continue-on-failure \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
  --exclude-path /api/v1/workloads/watch --exclude-path-regex 'service-accounts|access-rules'
