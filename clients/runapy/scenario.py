"""A team's day through Run:ai's Python client, against Berth. See README.md."""
import os
import sys
import time

from runai import models
from runai.api_client import ApiClient
from runai.configuration import Configuration
from runai.exceptions import ApiException
from runai.runai_client import RunaiClient

held, total = 0, 0


def check(what, holds, seen=None):
    global held, total
    total += 1
    held += bool(holds)
    if not holds:
        print(f"does not hold: {what}\n  seen: {seen}")


def client(client_id, secret):
    return RunaiClient(ApiClient(Configuration(
        client_id=client_id, client_secret=secret, runai_base_url=os.environ["BERTH_URL"],
        ssl_ca_cert=os.environ.get("BERTH_CA"))))


def wait(read, until, patience=60):
    end = time.monotonic() + patience
    while True:
        answer = read()
        if until(answer) or time.monotonic() > end:
            return answer
        time.sleep(0.2)


def refusal(call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except ApiException as e:
        return e.status


def project(admin, name, cluster):
    pool = [p for p in admin.organizations.node_pools.get_nodepools().data["nodepools"] if p["isDefault"]][0]
    return admin.organizations.projects.create_project(models.ProjectCreationRequest(
        name=name, clusterId=cluster, defaultNodePools=["default"],
        resources=[{"nodePool": {"id": pool["id"], "name": "default"}, "gpu": {"deserved": 8, "limit": 16}}])).data["id"]


def researcher(admin, name, project_id):
    account = admin.authentication_and_authorization.service_accounts.create_service_account(models.ServiceAccountCreationRequest(name=name)).data
    admin.authentication_and_authorization.access_rules.create_access_rule(models.AccessRuleCreationFields(
        subjectId=account["clientId"], subjectType="service-account", roleId=5,
        scopeId=project_id, scopeType="project"))
    return account, client(account["clientId"], account["clientSecret"])


def main():
    admin = client(os.environ["BERTH_CLIENT_ID"], os.environ["BERTH_CLIENT_SECRET"])
    cluster = admin.organizations.clusters.get_clusters().data[0]["uuid"]
    mine, theirs = project(admin, "day-mine", cluster), project(admin, "day-theirs", cluster)
    account, me = researcher(admin, "day-researcher", mine)
    try:
        day(me, cluster, mine, theirs)
    finally:
        for each in (mine, theirs):
            admin.organizations.projects.delete_project(each)
        admin.authentication_and_authorization.service_accounts.delete_service_account_by_id(account["id"])
    print(f"{held} of {total} checks hold")
    sys.exit(held != total)


def day(me, cluster, mine, theirs):
    work = me.workloads

    def named(name, project_id, **spec):
        return dict(name=name, projectId=project_id, clusterId=cluster, spec=dict(image="python:3.12", **spec))

    check("a researcher sees its own project alone",
          [p["id"] for p in me.organizations.projects.get_projects().data["projects"]] == [mine])
    check("and submits to no other", refusal(
        work.trainings.create_training1, models.TrainingCreationRequest(**named("t", theirs))) == 403)
    gang = work.distributed.create_distributed(models.DistributedCreationRequest(**named(
        "gang", mine, distributedFramework="PyTorch", numWorkers=3, compute={"gpuDevicesRequest": 4}))).data["workloadId"]
    running = wait(lambda: work.workloads.get_workload(gang).data, lambda w: w["phase"] == "Running")
    check("a gang of four runs whole", running["phase"] == "Running" and running["runningPods"] == 4, running["phase"])
    more = work.trainings.create_training1(models.TrainingCreationRequest(**named(
        "more", mine, compute={"gpuDevicesRequest": 1}))).data["workloadId"]
    waiting = wait(lambda: work.workloads.get_workload(more).data, lambda w: w.get("phaseReason"))
    check("beyond the limit it waits, and says so", waiting["phaseReason"] == "OverLimit", waiting)
    work.distributed.delete_distributed(gang)
    check("and starts when there is room", wait(
        lambda: work.workloads.get_workload(more).data, lambda w: w["phase"] == "Running")["phase"] == "Running")
    firm = work.workspaces.create_workspace1(models.WorkspaceCreationRequest(**named(
        "firm", mine, compute={"gpuDevicesRequest": 9}))).data["workloadId"]
    refused = wait(lambda: work.workloads.get_workload(firm).data, lambda w: w.get("phaseReason"))
    check("a workspace stays within the quota", refused["phaseReason"] == "NonPreemptibleOverQuota", refused)
    check("pools are not the researcher's to make", refusal(
        me.organizations.node_pools.create_nodepool, models.NodepoolCreateFields(
            name="x", labelKey="x", labelValue="x", clusterId=cluster)) == 403)


if __name__ == "__main__":
    main()
