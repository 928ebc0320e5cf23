"""The official Python client against the cluster of $KUBECONFIG."""

import sys
import time
import uuid

from kubernetes import client, config, dynamic, watch

NAMESPACE = "py-" + uuid.uuid4().hex[:8]
checks = 0


def check(what, holds):
    global checks
    checks += 1
    print(("ok   " if holds else "FAIL ") + what)
    if not holds:
        sys.exit(1)


def deployment(replicas):
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "c", "image": "nginx"}]},
            },
        },
    }


def until(what, holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            check(what, False)
        time.sleep(0.1)
    check(what, True)


def typed(core, apps):
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    until("a namespace gets its service account", lambda: any(
        account.metadata.name == "default"
        for account in core.list_namespaced_service_account(NAMESPACE).items))
    apps.create_namespaced_deployment(NAMESPACE, deployment(2))
    until("a Deployment gets ready",
          lambda: apps.read_namespaced_deployment("web", NAMESPACE).status.ready_replicas == 2)
    apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 3}})
    until("a scale is followed",
          lambda: apps.read_namespaced_deployment("web", NAMESPACE).status.ready_replicas == 3)
    pods = core.list_namespaced_pod(NAMESPACE, label_selector="app=web", limit=2)
    check("lists come in pages", len(pods.items) == 2 and bool(pods.metadata._continue))
    log = core.read_namespaced_pod_log(pods.items[0].metadata.name, NAMESPACE)
    check("logs can be read", "started" in log)
    try:
        apps.create_namespaced_deployment(NAMESPACE, deployment(-1))
        check("a bad object is refused", False)
    except client.ApiException as e:
        check("a bad object is refused", e.status in (409, 422))


def applied(api):
    resource = dynamic.DynamicClient(api).resources.get(api_version="v1", kind="ConfigMap")
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"},
            "data": {"a": "1"}}
    resource.server_side_apply(body, namespace=NAMESPACE, field_manager="one")
    body["data"] = {"a": "2"}
    try:
        resource.server_side_apply(body, namespace=NAMESPACE, field_manager="two")
        check("applying over another's field is a conflict", False)
    except dynamic.exceptions.ConflictError:
        check("applying over another's field is a conflict", True)
    resource.server_side_apply(body, namespace=NAMESPACE, field_manager="two",
                               force_conflicts=True)
    check("force takes it over",
          resource.get(name="applied", namespace=NAMESPACE).data["a"] == "2")


def watched(core):
    revision = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    for i in range(5):
        core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": f"w-{i}"}})
    seen = []
    while len(seen) < 5:
        stream = watch.Watch().stream(
            core.list_namespaced_config_map, NAMESPACE, resource_version=revision,
            timeout_seconds=20)
        for event in stream:
            seen.append(event["object"].metadata.name)
            revision = event["object"].metadata.resource_version
            # Leaves after every second event, and resumes.
            if len(seen) % 2 == 0 or len(seen) == 5:
                break
    check("a resumed watch misses and repeats nothing", seen == [f"w-{i}" for i in range(5)])


def main():
    config.load_kube_config()
    api = client.ApiClient()
    core, apps = client.CoreV1Api(api), client.AppsV1Api(api)
    check("the version is told", client.VersionApi(api).get_code().major == "1")
    try:
        typed(core, apps)
        applied(api)
        watched(core)
        token = core.create_namespaced_service_account_token(
            "default", NAMESPACE, {"spec": {"expirationSeconds": 600}})
        check("tokens are issued", token.status.token.count(".") == 2)
    finally:
        core.delete_namespace(NAMESPACE)
    print(f"{checks} checks hold")


main()
