"""Where one project ends and another begins, and what is refused: Run:ai's Python client against Berth. See README.md."""
import json
import os
import sys
import time

import urllib3
from runai import models
from runai.api_client import ApiClient
from runai.configuration import Configuration
from runai.exceptions import ApiException
from runai.runai_client import RunaiClient

URL, CA = os.environ["BERTH_URL"], os.environ.get("BERTH_CA")
PATIENCE = float(os.environ.get("BERTH_WAIT", "60"))
VERBOSE = "-v" in sys.argv
NOBODY = "00000000-0000-4000-8000-00000000dead"
IMAGE = "python:3.12"


class Checks:
    """Counts what holds. A section that breaks off counts as one thing that does not."""

    def __init__(self):
        self.held, self.total = 0, 0

    def __call__(self, what, holds, seen=None):
        self.total += 1
        self.held += bool(holds)
        if not holds:
            print(f"  does not hold: {what}" + (f"\n    seen: {str(seen)[:600]}" if seen is not None else ""))
        elif VERBOSE:
            print(f"  holds: {what}")

    def section(self, steps):
        print(steps.__doc__)
        try:
            steps()
        except Exception as e:
            self(f"{steps.__name__} goes to its end", False, f"{type(e).__name__}: {e}")


check = Checks()


def wait(read, until):
    end = time.monotonic() + PATIENCE
    while True:
        answer = read()
        if until(answer) or time.monotonic() > end:
            return answer
        time.sleep(0.2)


def stays(read, holds, seconds=3):
    """Whether something holds now and for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not holds(read()):
            return False
        time.sleep(0.2)
    return True


def refusal(call, *args, **kwargs):
    """The status a call ends with, or None; what is refused must have the envelope."""
    try:
        call(*args, **kwargs)
    except ApiException as e:
        body = e.data if isinstance(e.data, dict) else {}
        if body.get("code") != e.status or not isinstance(body.get("message"), str) or not body["message"]:
            check("a refusal has the envelope", False, (e.status, e.body))
        return e.status


def client(client_id, secret):
    return RunaiClient(ApiClient(Configuration(
        client_id=client_id, client_secret=secret, runai_base_url=URL, ssl_ca_cert=CA, retry_enabled=False)))


class Raw:
    """HTTP as it is, for what the client would never send."""

    def __init__(self, token):
        self.pool = urllib3.PoolManager(ca_certs=CA)
        self.token = token

    def __call__(self, method, path, body=None, token=None, **headers):
        all_headers = {"Authorization": "Bearer " + (token or self.token)} if token != "" else {}
        if body is not None:
            all_headers["Content-Type"] = "application/json"
        all_headers |= {k.replace("_", "-"): v for k, v in headers.items()}
        data = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
        return self.pool.request(method, URL + path, body=data, headers=all_headers, retries=False)

    def refused(self, what, code, method, path, body=None, **more):
        codes = code if isinstance(code, tuple) else (code,)
        answer = self(method, path, body, **more)
        try:
            told = json.loads(answer.data)
        except ValueError:
            told = {}
        check(f"{what}: {code} in the envelope",
              answer.status in codes and told.get("code") == answer.status and told.get("message"),
              (answer.status, answer.data[:300]))
        return told


class Story:

    def __init__(self):
        self.admin = client(os.environ["BERTH_CLIENT_ID"], os.environ["BERTH_CLIENT_SECRET"])
        self.raw = Raw(self.admin.api_client._token)
        self.org, self.iam = self.admin.organizations, self.admin.authentication_and_authorization
        self.cluster = self.org.clusters.get_clusters().data[0]["uuid"]
        self.accounts = []

    # -- making

    def account(self, name, role, scope_type, scope_id):
        made = self.iam.service_accounts.create_service_account(models.ServiceAccountCreationRequest(name=name)).data
        self.accounts.append(made["id"])
        roles = {r["name"]: r["id"] for r in self.iam.roles.get_roles_v1().data}
        rule = self.iam.access_rules.create_access_rule(models.AccessRuleCreationFields(
            subjectId=made["clientId"], subjectType="service-account", roleId=roles[role],
            scopeId=scope_id, scopeType=scope_type)).data
        return made | {"rule": rule["id"]}

    def login(self, *args):
        made = self.account(*args)
        return client(made["clientId"], made["clientSecret"])

    def resources(self, deserved, **gpu):
        return [{"nodePool": {"id": self.pools[n]["id"], "name": n}, "gpu": {"deserved": d, **gpu}}
                for n, d in deserved.items()]

    def project(self, name, department, pools, deserved, **gpu):
        return self.org.projects.create_project(dict(
            name=name, clusterId=self.cluster, parentId=department, defaultNodePools=pools,
            resources=self.resources(deserved, **gpu))).data["id"]

    def named(self, name, project, **spec):
        return dict(name=name, projectId=project, clusterId=self.cluster, spec=dict(image=IMAGE, **spec))

    def train(self, who, name, project, gpus, **spec):
        return who.workloads.trainings.create_training1(self.named(
            name, project, compute={"gpuDevicesRequest": gpus}, **spec)).data["workloadId"]

    def gang(self, who, name, project, workers, gpus, **spec):
        """A gang of `workers`, its master one of them."""
        return who.workloads.distributed.create_distributed(self.named(
            name, project, distributedFramework="PyTorch", numWorkers=workers - 1,
            compute={"gpuDevicesRequest": gpus}, **spec)).data["workloadId"]

    def seen(self, workload):
        return self.admin.workloads.workloads.get_workload(workload).data

    def in_phase(self, workload, *phases):
        return wait(lambda: self.seen(workload), lambda w: w["phase"] in phases)

    def pods(self, workload):
        return self.admin.workloads.pods.get_workload_pods(workload).data["pods"]

    def running(self, *workloads):
        return [self.in_phase(w, "Running")["phase"] == "Running" for w in workloads]

    def drop(self, *workloads):
        self.admin.workloads.workloads_batch.batch_workloads({"ids": list(workloads), "action": "delete"})
        gone = lambda: [w["id"] for w in self.admin.workloads.workloads.get_workloads(limit=500).data["workloads"]]
        wait(gone, lambda ids: not set(ids) & set(workloads))

    # -- before and after

    def clear(self):
        for p in self.org.projects.get_projects(filter_by=["name=^edge-"]).data["projects"]:
            self.org.projects.delete_project(p["id"])
        wait(lambda: self.org.projects.get_projects(filter_by=["name=^edge-"]).data["projects"], lambda l: not l)
        for d in self.org.departments.get_departments(filter_by=["name=^edge-"]).data["departments"]:
            self.org.departments.delete_department(d["id"])
        for p in self.org.node_pools.get_nodepools(filter_by=["name=^edge-"]).data["nodepools"]:
            self.org.node_pools.delete_nodepool(p["id"])
        for a in self.iam.service_accounts.get_service_accounts().data:
            if a["name"].startswith("edge-"):
                self.iam.service_accounts.delete_service_account_by_id(a["id"])

    def build(self):
        """An organization: two departments, three projects, two pools"""
        self.pools = {}
        for name in ("a", "b"):
            self.pools["edge-" + name] = self.org.node_pools.create_nodepool(models.NodepoolCreateFields(
                name="edge-" + name, labelKey="edge-pool", labelValue=name, clusterId=self.cluster)).data
        make = lambda name: self.org.departments.create_department(models.DepartmentCreationRequest(
            name=name, clusterId=self.cluster, resources=self.resources({"edge-a": 16, "edge-b": 16}))).data["id"]
        self.research, self.sales = make("edge-research"), make("edge-sales")
        self.mine = self.project("edge-mine", self.research, ["edge-a"], {"edge-a": 8, "edge-b": 8})
        self.twin = self.project("edge-twin", self.research, ["edge-a"], {"edge-a": 8, "edge-b": 8})
        self.theirs = self.project("edge-theirs", self.sales, ["edge-b"], {"edge-b": 8})
        self.me = self.login("edge-me", "L1 researcher", "project", self.mine)
        self.they = self.login("edge-they", "L1 researcher", "project", self.theirs)
        check("an organization stands", self.org.projects.count_projects(filter_by=["name=^edge-"]).data["count"] == 3)

    # -- sections

    def filters(self):
        """Filters: every operator, combinations, values with odd characters"""
        api, made = self.admin.workloads.workloads, []
        for name, kind, gpus in (("alpha", "workspaces", 1), ("alpine", "trainings", 2), ("beta-alp", "trainings", 0)):
            api_of = getattr(self.admin.workloads, kind)
            create = getattr(api_of, "create_workspace1" if kind == "workspaces" else "create_training1")
            made.append(create(self.named(name, self.mine, compute={"gpuDevicesRequest": gpus})).data["workloadId"])
        check("the three run", all(self.running(*made)))
        mine = f"projectId=={self.mine}"
        ask = lambda *f, **q: [w["name"] for w in api.get_workloads(filter_by=[mine, *f], sort_by="name", **q).data["workloads"]]
        everything = ["alpha", "alpine", "beta-alp"]
        moment = self.seen(made[1])["createdAt"]
        for entries, expected in (
                (["name==alpha"], ["alpha"]), (["name!=alpha"], ["alpine", "beta-alp"]),
                (["name=@alp"], everything), (["name!@pine"], ["alpha", "beta-alp"]),
                (["name=^alp"], ["alpha", "alpine"]), (["name=$alp"], ["beta-alp"]),
                (["name<=alpha"], ["alpha"]), (["name>=alpine"], ["alpine", "beta-alp"]),
                (["allocatedGPU>=1"], ["alpha", "alpine"]), (["allocatedGPU<=1"], ["alpha", "beta-alp"]),
                (["allocatedGPU==2"], ["alpine"]), (["allocatedGPU!=2"], ["alpha", "beta-alp"]),
                (["allocatedGPU==2.0"], ["alpine"]),
                (["allocatedGPU>=1", "allocatedGPU<=1"], ["alpha"]),
                (["allocatedGPU>=1", "name=$e"], ["alpine"]), (["name=^a", "name!=alpha", "type==Training"], ["alpine"]),
                (["type==Workspace"], ["alpha"]), (["phase==Running"], everything), (["phase!=Running"], []),
                (["category==Train"], ["alpine", "beta-alp"]), (["priorityClassName==high"], ["alpha"]),
                (["priority>=100"], ["alpha"]), (["nodepool==edge-a"], everything), (["nodepool!=edge-a"], []),
                (["projectName=$mine"], everything), (["departmentName==edge-research"], everything),
                ([f"departmentId=={self.research}"], everything), (["submittedBy==admin"], everything),
                ([f"createdAt>={moment}"], ["alpine", "beta-alp"]), ([f"createdAt<={moment}"], ["alpha", "alpine"]),
                ([f"createdAt=={moment}"], ["alpine"]), ([f"createdAt!={moment}"], ["alpha", "beta-alp"]),
                (["createdAt>=2020-01-01T00:00:00+00:00"], everything), (["createdAt<=2020-01-01T00:00:00"], []),
                (["name==a,b"], []), (["name==a b/c?d&e=f%"], []), (["name==[alpha]"], []), (["name=@."], []),
                (["name==ALPHA"], []), (["name===alpha"], []), (["name!=a,b"], everything),
                (["totalRunningTimeSeconds>=0"], everything), (["idleGpus==0"], everything),
                (["completedAt>=2020-01-01T00:00:00Z"], []), (["distributedFramework==PyTorch"], [])):
            answer = ask(*entries)
            check(f"{' and '.join(entries)}", answer == expected, answer)
        repeated = json.loads(self.raw("GET", f"/api/v1/workloads?filterBy={mine}&filterBy=name%3D%40alp&filterBy=allocatedGPU%3E%3D2").data)
        check("repeated parameters are joined by and", [w["name"] for w in repeated["workloads"]] == ["alpine"], repeated)
        for bad in ("name", "name=alpha", "name==", "==alpha", "colour==red", "name~alpha", "name>1", "allocatedGPU>=many",
                    "createdAt>=yesterday", "createdAt=@2026", "allocatedGPU==1==2"):
            self.raw.refused(f"filterBy={bad}", 400, "GET", "/api/v1/workloads?filterBy=" + bad.replace(">", "%3E").replace("=", "%3D"))
        count = lambda *f: api.count_workloads(filter_by=[mine, *f]).data["count"]
        check("count filters alike", (count(), count("name=^alp"), count("name==none")) == (3, 2, 0))
        for field in ("type name clusterId projectId projectName departmentId departmentName createdAt deletedAt submittedBy phase "
                      "completedAt nodepool distributedFramework allocatedGPU idleGpus idleAllocatedGpus phaseUpdatedAt category "
                      "priority priorityClassName totalPendingTimeSeconds totalRunningTimeSeconds guaranteedRuntimeEndsAt "
                      "aiApplicationId aiApplicationName").split():
            for order in ("asc", "desc"):
                listed = api.get_workloads(filter_by=[mine], sort_by=field, sort_order=order).data["workloads"]
                source = {"nodepool": "currentNodePools", "allocatedGPU": None}.get(field, field)
                values = [w["allocatedResources"]["gpu"] if source is None else w.get(source) for w in listed]
                known = [v for v in values if v is not None]
                check(f"sorted by {field}, {order}", len(listed) == 3
                      and known == sorted(known, reverse=order == "desc"), values)
        for page, expected in (((0, 1), everything[:1]), ((1, 1), everything[1:2]), ((0, 500), everything), ((3, 5), []), ((99, 1), [])):
            check(f"offset {page[0]}, limit {page[1]}", ask(offset=page[0], limit=page[1]) == expected)
        first = api.get_workloads(filter_by=[mine], sort_by="name", limit=2).data
        check("next leads to the rest", first.get("next") == 2 and ask(offset=first["next"]) == everything[2:], first.get("next"))
        check("the last page has no next", not api.get_workloads(filter_by=[mine], limit=3).data.get("next"))
        for bad in ("limit=0", "limit=501", "limit=-1", "limit=x", "limit=1.5", "offset=-1", "offset=x", "sortBy=colour",
                    "sortOrder=up", "deleted=maybe", "limit=99999999999999999999"):
            self.raw.refused(bad, 400, "GET", "/api/v1/workloads?" + bad)
        check("search", ask(search="alpi") == ["alpine"] and ask(search="ALPHA") == ["alpha"] and ask(search="nothing") == [])
        check("search and filter", ask("allocatedGPU>=1", search="alp") == ["alpha", "alpine"])
        pods = lambda *f, **q: self.admin.workloads.pods.list_pods(filter_by=list(f), **q).data["pods"]
        check("pods by workload", len(pods(f"workloadId=={made[1]}")) == 1)
        check("pods by pool", {p["workloadId"] for p in pods("currentNodepool==edge-a")} == set(made))
        check("pods, brief and full", "projectName" not in pods(f"workloadId=={made[0]}")[0]
              and pods(f"workloadId=={made[0]}", verbosity="full")[0]["projectName"] == "edge-mine")
        projects = lambda *f, **q: [p["name"] for p in self.org.projects.get_projects(filter_by=list(f), **q).data["projects"]]
        check("projects by department", projects(f"parentId=={self.research}", sort_by="name") == ["edge-mine", "edge-twin"])
        check("projects by name of department", projects("parentName==edge-sales") == ["edge-theirs"])
        check("projects by quota", set(projects("name=^edge-", "totalGpuQuota>=16")) == {"edge-mine", "edge-twin"})
        check("projects by use", projects("name=^edge-", "gpuAllocated>=3") == ["edge-mine"], projects("name=^edge-", "gpuAllocated>=1"))
        for field in ("name clusterId departmentId parentId parentName phase totalGpuQuota gpuAllocated createdAt avgGpuAllocation24h "
                      "avgGpuAllocation7d avgGpuAllocation30d avgGpuUtilization24h avgGpuUtilization7d avgGpuUtilization30d "
                      "avgGpuMemoryUtilization24h avgGpuMemoryUtilization7d avgGpuMemoryUtilization30d").split():
            check(f"projects sorted by {field}", len(projects("name=^edge-", sort_by=field)) == 3)
        nodes = lambda *f, **q: [n["name"] for n in self.org.nodes.get_tenant_nodes(filter_by=list(f), **q).data["nodes"]]
        check("nodes by pool", sorted(nodes("nodePool==edge-a")) == ["edge-a-0", "edge-a-1"] or
              sorted(nodes("nodePool==edge-a")) == ["edge-a-1", "edge-a-2"], nodes("nodePool==edge-a"))
        for field in "name status nodePool gpuType nvLinkDomainUid nvLinkCliqueId clusterUuid".split():
            check(f"nodes sorted by {field}", len(nodes("nodePool=^edge-", sort_by=field, sort_order="desc")) == 4)
        names = nodes("nodePool=^edge-", sort_by="name", sort_order="desc")
        check("nodes downwards", names == sorted(names, reverse=True))
        pools = lambda **q: [p["name"] for p in self.org.node_pools.get_nodepools(filter_by=["name=^edge-"], **q).data["nodepools"]]
        for field in ("name clusterId phase createdAt updatedAt gpuNetworkAccelerationDetection gpuNetworkAccelerationDetected "
                      "gpuNetworkAccelerationLabelKey networkTopologyName swapEnabled nodeLevelSchedulerEnabled").split():
            check(f"pools sorted by {field}", len(pools(sort_by=field)) == 2)
        rules = lambda **q: self.iam.access_rules.get_access_rules(filter_by=["subjectId=^edge-"], **q).data
        for field in "subjectId subjectType roleId scopeId scopeType roleName scopeName createdAt deletedAt createdBy phase".split():
            check(f"rules sorted by {field}", rules(sort_by=field)["totalRecords"] == 2, rules()["totalRecords"])
        check("rules by role", rules(limit=1)["displayRecords"] == 1)
        self.drop(*made)
        deleted = api.get_workloads(deleted=True, filter_by=[mine], sort_by="name").data["workloads"]
        check("deleted ones are found as such", [w["name"] for w in deleted] == everything and all(w["deletedAt"] for w in deleted), deleted)
        check("and not otherwise", ask() == [])

    def apart(self):
        """Two projects apart: nothing of another's is seen, named or changed"""
        theirs = self.train(self.they, "secret-plan", self.theirs, 1)
        check("theirs runs", all(self.running(theirs)))
        pod = self.pods(theirs)[0]["id"]
        work, org, span = self.me.workloads, self.me.organizations, dict(
            metric_type=["GPU_ALLOCATION"], start="2026-01-01T00:00:00Z", end="2026-01-02T00:00:00Z")
        for what, call in (
                ("workload", lambda w: work.workloads.get_workload(w)), ("pods", lambda w: work.pods.get_workload_pods(w)),
                ("events", lambda w: work.events.get_workload_events(w)), ("history", lambda w: work.events.get_workload_history(w)),
                ("metrics", lambda w: work.workloads.get_workload_metrics(w, **span)),
                ("pod metrics", lambda w: work.pods.get_workload_pod_metrics(w, pod, **span)),
                ("training", lambda w: work.trainings.get_training(w)), ("delete", lambda w: work.trainings.delete_training(w)),
                ("suspend", lambda w: work.trainings.suspend_training(w)), ("resume", lambda w: work.trainings.resume_training(w)),
                ("as workspace", lambda w: work.workspaces.get_workspace(w)), ("inference", lambda w: work.inferences.get_inference(w)),
                ("patch", lambda w: work.inferences.update_inference_spec(w, models.InferenceUpdateRequest(spec={"image": "x"})))):
            status = refusal(call, theirs)
            check(f"{what} of theirs is as if missing", status == 404 and refusal(call, NOBODY) == 404, status)
        for path in (f"/api/v1/workloads/{theirs}/explain",):
            told = Raw(self.me.api_client._token).refused("explain of theirs", 404, "GET", path)
            check("and tells nothing", "secret" not in json.dumps(told))
        batch = work.workloads_batch.batch_workloads({"ids": [theirs, NOBODY], "action": "delete"}).data
        check("a batch fails for both alike", [(f["code"], f["message"]) for f in batch["failed"]] ==
              [(404, "Resource id not found.")] * 2 and not batch["succeeded"], batch)
        for list_all in (lambda: work.workloads.get_workloads(limit=500).data["workloads"],
                         lambda: work.workloads.get_workloads(filter_by=["name==secret-plan"]).data["workloads"],
                         lambda: work.workloads.get_workloads(search="secret").data["workloads"],
                         lambda: work.workloads.get_workloads(filter_by=[f"projectId=={self.theirs}"]).data["workloads"],
                         lambda: work.workloads.get_workloads(deleted=True).data["workloads"],
                         lambda: work.pods.list_pods(limit=500, verbosity="full").data["pods"],
                         lambda: org.projects.get_projects(limit=500).data["projects"]):
            text = json.dumps(list_all())
            check("no list shows theirs", "secret" not in text and "edge-theirs" not in text, text)
        check("counts leave theirs out", work.workloads.count_workloads(filter_by=["name==secret-plan"]).data["count"] == 0
              and work.pods.count_pods(filter_by=[f"workloadId=={theirs}"]).data["count"] == 0
              and org.projects.count_projects().data["count"] == 1)
        telemetry = work.workloads.get_workloads_telemetry(telemetry_type="WORKLOADS_COUNT", group_by=["ProjectId"]).data
        check("telemetry leaves theirs out", self.theirs not in json.dumps(telemetry["values"]), telemetry)
        submit = lambda p: refusal(work.trainings.create_training1, self.named("x", p))
        check("submitting there is as to nowhere", submit(self.theirs) == submit("424242") == 403, (submit(self.theirs), submit("424242")))
        for what, call in (("project", lambda p: org.projects.get_project(p)),
                           ("project resources", lambda p: org.projects.patch_project_resources(p, self.resources({"edge-b": 1}))),
                           ("project metrics", lambda p: org.projects.get_project_metrics(p, **span))):
            status = refusal(call, self.theirs), refusal(call, "424242")
            check(f"{what} there is as nowhere", status[0] == status[1] and status[0] in (403, 404), status)
        check("their project is not theirs to delete", refusal(org.projects.delete_project, self.theirs) in (403, 404))
        policy = self.me.policies.policy
        where = dict(scope="project", project_id=self.theirs)
        check("their policy", refusal(policy.get_workspace_policy_v2, **where) == 404)
        check("my policy can be read", policy.get_workspace_policy_v2(scope="project", project_id=self.mine).status_code == 200)
        body = {"meta": {"scope": "project", "projectId": int(self.theirs), "name": "p"}, "policy": {"defaults": {"image": "x"}}}
        check("and not set", refusal(policy.overwrite_workspace_policy_v2, workspace_policy_overwrite_request_v2=body) == 403)
        for what, call in (
                ("a department", lambda: org.departments.create_department(models.DepartmentCreationRequest(
                    name="edge-x", clusterId=self.cluster, resources=[]))),
                ("a project", lambda: org.projects.create_project(dict(name="edge-x", clusterId=self.cluster, resources=[]))),
                ("a pool", lambda: org.node_pools.create_nodepool(models.NodepoolCreateFields(
                    name="edge-x", labelKey="x", labelValue="x", clusterId=self.cluster))),
                ("a topology", lambda: org.network_topologies.create_network_topology(models.NetworkTopologyCreateRequest(
                    name="edge-x", levels=["x"], clusterId=self.cluster))),
                ("an account", lambda: self.me.authentication_and_authorization.service_accounts.create_service_account(
                    models.ServiceAccountCreationRequest(name="edge-x"))),
                ("an access rule", lambda: self.me.authentication_and_authorization.access_rules.create_access_rule(
                    models.AccessRuleCreationFields(subjectId="x", subjectType="user", roleId=5, scopeId=self.mine, scopeType="project"))),
                ("a cluster's name", lambda: org.clusters.update_cluster(self.cluster, models.ClusterUpdateRequest(name="x"))),
                ("the audit log", lambda: self.me.audit.audit_logs.get_audit_logs(start=span["start"], end=span["end"])),
                ("a pool's deletion", lambda: org.node_pools.delete_nodepool(self.pools["edge-a"]["id"])),
                ("accounts", lambda: self.me.authentication_and_authorization.service_accounts.get_service_accounts()),
                ("a workload type", lambda: work.workload_properties.create_workload_type(models.WorkloadTypeCreateFields(
                    name="Job", group="batch", categoryId=NOBODY, priorityId=NOBODY)))):
            status = refusal(call)
            check(f"{what} is not a researcher's", status == 403, status)
        compute = {"meta": {"name": "edge-small", "scope": "project", "projectId": int(self.theirs)}, "spec": {"cpuCoreRequest": 1}}
        asset = self.they.workload_assets.compute.create_compute_asset(compute).data["meta"]["id"]
        mine = self.me.workload_assets.compute
        check("their asset is as if missing", refusal(mine.get_compute_asset_by_id, asset) == 404
              and refusal(mine.delete_compute_asset_by_id, asset) == 404
              and refusal(mine.update_compute_asset_by_id, asset, compute) == 404)
        check("and is in no list", "edge-small" not in json.dumps(mine.list_compute_assets().data))
        check("nor can one be put there", refusal(mine.create_compute_asset, compute) == 403)
        wide = {"meta": {"name": "edge-wide", "scope": "tenant"}, "spec": {"cpuCoreRequest": 1}}
        shared = self.admin.workload_assets.compute.create_compute_asset(wide).data["meta"]["id"]
        check("what is everybody's is seen", "edge-wide" in json.dumps(mine.list_compute_assets().data)
              and mine.get_compute_asset_by_id(shared).data["meta"]["id"] == shared)
        check("and is not a researcher's to change", refusal(mine.delete_compute_asset_by_id, shared) == 403
              and refusal(mine.update_compute_asset_by_id, shared, wide) == 403)
        self.admin.workload_assets.compute.delete_compute_asset_by_id(shared)
        self.they.workload_assets.compute.delete_compute_asset_by_id(asset)
        template = self.they.workloads.workload_templates.create_training_template(
            {"meta": {"name": "edge-t", "scopeType": "project", "scopeId": self.theirs}, "spec": {"image": "hidden:1"}}).data["meta"]["id"]
        used = refusal(work.trainings.create_training1, dict(self.named("x", self.mine), templateId=template))
        nothing = refusal(work.trainings.create_training1, dict(self.named("x", self.mine), templateId=NOBODY))
        check("their template is as no template", used == nothing and used in (400, 404), (used, nothing))
        self.they.workloads.workload_templates.delete_training_template(template)
        check("it still runs, untouched", self.seen(theirs)["phase"] == "Running")
        self.drop(theirs)
        check("nor is it seen once deleted", "secret" not in json.dumps(work.workloads.get_workloads(deleted=True).data)
              and refusal(work.workloads.get_workload, theirs) == 404)

    def roles(self):
        """Roles and scopes: departments, viewers, engineers; accounts that come and go"""
        chief = self.login("edge-chief", "Department administrator", "department", self.research)
        check("a department's administrator sees its projects", {p["name"] for p in chief.organizations.projects.get_projects().data["projects"]}
              == {"edge-mine", "edge-twin"})
        check("and its department", [d["name"] for d in chief.organizations.departments.get_departments().data["departments"]] == ["edge-research"])
        check("and not another", refusal(chief.organizations.departments.get_department, self.sales) == 404)
        made = chief.organizations.projects.create_project(dict(
            name="edge-new", clusterId=self.cluster, parentId=self.research, resources=[])).data["id"]
        check("makes projects in it", self.org.projects.get_project(made).data["parent"]["name"] == "edge-research")
        there = refusal(chief.organizations.projects.create_project, dict(name="edge-n2", clusterId=self.cluster, parentId=self.sales, resources=[]))
        nowhere = refusal(chief.organizations.projects.create_project, dict(name="edge-n2", clusterId=self.cluster, parentId="424242", resources=[]))
        check("and in no other", there == nowhere == 403, (there, nowhere))
        rules = chief.authentication_and_authorization.access_rules
        rule = lambda role, kind, where: dict(subjectId="friend@lab.com", subjectType="user", roleId=role, scopeId=where, scopeType=kind)
        ids = {r["name"]: r["id"] for r in self.iam.roles.get_roles_v1().data}
        given = rules.create_access_rule(rule(ids["L1 researcher"], "project", made))
        check("hands out roles in it", given.status_code == 201)
        check("the same twice is refused", refusal(rules.create_access_rule, rule(ids["L1 researcher"], "project", made)) in (400, 409))
        check("not elsewhere", refusal(rules.create_access_rule, rule(ids["L1 researcher"], "project", self.theirs)) == 403)
        check("not the tenant's", refusal(rules.create_access_rule, rule(ids["L1 researcher"], "tenant", "1")) == 403)
        check("not more than it has", refusal(rules.create_access_rule, rule(ids["System administrator"], "project", made)) == 403)
        check("nor sees other rules", all(r["scopeId"] in (self.research, made, self.mine, self.twin)
                                          for r in rules.get_access_rules(limit=500).data["accessRules"]))
        rules.delete_access_rule(given.data["id"])
        chief.organizations.projects.delete_project(made)
        wait(lambda: self.org.projects.get_projects(filter_by=["name==edge-new"]).data["projects"], lambda l: not l)
        viewer = self.login("edge-viewer", "Viewer", "department", self.research)
        run = self.train(self.me, "watched", self.mine, 0)
        check("a viewer sees", viewer.workloads.workloads.get_workload(run).data["name"] == "watched")
        check("and changes nothing", refusal(viewer.workloads.trainings.delete_training, run) == 403
              and refusal(viewer.workloads.trainings.suspend_training, run) == 403
              and refusal(viewer.workloads.trainings.create_training1, self.named("x", self.mine)) == 403)
        engineer = self.login("edge-engineer", "ML engineer", "project", self.mine)
        check("an engineer reads trainings and makes inferences", engineer.workloads.trainings.get_training(run).status_code == 200
              and refusal(engineer.workloads.trainings.delete_training, run) == 403)
        served = engineer.workloads.inferences.create_inference1(self.named("serve", self.mine, servingPort={"container": 80})).data["workloadId"]
        both = self.me.workloads.workloads_batch.batch_workloads({"ids": [run, served], "action": "suspend"}).data
        check("a batch says what failed and why", both["succeeded"] == [run] and [f["id"] for f in both["failed"]] == [served], both)
        self.drop(run, served)
        account = self.account("edge-gone", "L1 researcher", "project", self.mine)
        gone = client(account["clientId"], account["clientSecret"])
        see = lambda: refusal(gone.organizations.projects.get_projects)
        check("an account works", see() is None)
        api = self.iam.service_accounts
        api.update_service_account_by_id(account["id"], models.ServiceAccountPatchRequest(enabled=False))
        check("disabled, its token is worth nothing", see() == 401)
        check("nor its secret", self.token_refused(account))
        api.update_service_account_by_id(account["id"], models.ServiceAccountPatchRequest(enabled=True))
        check("enabled, it works again", see() is None)
        fresh = api.regenerate_service_account_secret(account["id"]).data["clientSecret"]
        check("the old secret is worth nothing", self.token_refused(account) and client(account["clientId"], fresh))
        self.iam.access_rules.delete_access_rule(account["rule"])
        check("without its rule it sees nothing", see() == 403 or gone.organizations.projects.get_projects().data["projects"] == [])
        api.delete_service_account_by_id(account["id"])
        self.accounts.remove(account["id"])
        check("deleted, it is nobody", see() == 401)
        check("the name is free again", api.create_service_account(models.ServiceAccountCreationRequest(name="edge-gone")).status_code == 201)
        for bad in ("Edge", "1edge", "edge-", "e", "ed ge", ""):
            self.raw.refused(f"an account named {bad!r}", 400, "POST", "/api/v1/service-accounts", {"name": bad})
        scopes = self.me.authentication_and_authorization.permissions.get_permitted_scopes(
            models.GetPermittedScopesRequest(resourceType="workspaces")).data
        check("permitted scopes name the project", self.mine in json.dumps(scopes["create"]) and self.theirs not in json.dumps(scopes), scopes)
        mine = self.me.authentication_and_authorization.me.get_me_access_rules().data["accessRules"]
        check("one's own rules", [(r["roleName"], r["scopeId"]) for r in mine] == [("L1 researcher", self.mine)], mine)

    @staticmethod
    def token_refused(account):
        try:
            client(account["clientId"], account["clientSecret"])
        except ValueError:
            return True

    def conflicts(self):
        """Conflicts of names and labels"""
        pools = self.org.node_pools
        fields = lambda name, key, value: models.NodepoolCreateFields(name=name, labelKey=key, labelValue=value, clusterId=self.cluster)
        for what, name, key, value in (("name", "edge-a", "other", "x"), ("label", "edge-c", "edge-pool", "a"),
                                       ("default's name", "default", "other", "x")):
            check(f"a pool with a {what} that is taken", refusal(pools.create_nodepool, fields(name, key, value)) in (400, 409))
        for name, key, value in (("Edge", "k", "v"), ("edge-c", "-k", "v"), ("edge-c", "k", "v v"), ("x" * 64, "k", "v"), ("edge-c", "", "v"),
                                 ("edge-c", "k", ""), ("edge_c", "k", "v"), ("edge-c", "a/b/c", "v")):
            self.raw.refused(f"a pool {name!r} on {key!r}={value!r}", 400, "POST", "/api/v1/node-pools",
                             dict(name=name, labelKey=key, labelValue=value, clusterId=self.cluster))
        check("the default pool stays", refusal(pools.delete_nodepool, [p["id"] for p in pools.get_nodepools().data["nodepools"] if p["isDefault"]][0]) == 400)
        check("a pool with quota stays", refusal(pools.delete_nodepool, self.pools["edge-a"]["id"]) in (400, 409))
        relabel = refusal(pools.patch_nodepool, self.pools["edge-a"]["id"], dict(labelKey="edge-pool", labelValue="b"))
        check("a pool cannot take another's label", relabel in (400, 409), relabel)
        for what, term in (("In its own", ("In", ["a"])), ("NotIn", ("NotIn", ["a"])), ("Exists", ("Exists", None))):
            body = self.named("labelled", self.mine, nodeAffinityRequired={"nodeSelectorTerms": [{"matchExpressions": [
                {"key": "edge-pool", "operator": term[0], **({"values": term[1]} if term[1] else {})}]}]})
            status = refusal(self.me.workloads.workspaces.create_workspace1, body)
            check(f"an expression on the pools' label ({what}) is refused", status == 400, status)
        self.conflicting_affinities()
        for path, body in (("departments", dict(name="edge-research", clusterId=self.cluster, resources=[])),
                           ("projects", dict(name="edge-mine", clusterId=self.cluster, resources=[]))):
            told = self.raw.refused(f"{path} of a taken name", 409, "POST", f"/api/v1/org-unit/{path}", body)
            check("in the words of the API", told.get("message") == "Resource with this name already exists", told)
        self.raw.refused("a namespace of another project", (400, 409), "POST", "/api/v1/org-unit/projects",
                         dict(name="edge-ns", clusterId=self.cluster, resources=[], requestedNamespace="runai-edge-mine"))
        self.raw.refused("an account of a taken name", 409, "POST", "/api/v1/service-accounts", {"name": "edge-me"})
        self.raw.refused("a department with projects cannot go", 400, "DELETE", f"/api/v1/org-unit/departments/{self.research}")
        one = self.train(self.me, "twice", self.mine, 0)
        check("a workload of a taken name", refusal(self.me.workloads.trainings.create_training1, self.named("twice", self.mine)) in (400, 409))
        check("also of another type", refusal(self.me.workloads.workspaces.create_workspace1, self.named("twice", self.mine)) in (400, 409))
        other = self.admin.workloads.trainings.create_training1(self.named("twice", self.twin)).data["workloadId"]
        prefixed = [self.me.workloads.trainings.create_training1(dict(self.named("twice", self.mine), useGivenNameAsPrefix=True)).data for _ in "12"]
        check("but not in another project, nor as a prefix", len({p["name"] for p in prefixed}) == 2
              and all(p["requestedName"] == "twice" for p in prefixed), prefixed)
        self.drop(one, other, *(p["workloadId"] for p in prefixed))
        check("a name is free after the deletion", self.drop(self.train(self.me, "twice", self.mine, 0)) is None)
        topology = dict(name="edge-racks", levels=["rack", "host"], clusterId=self.cluster)
        made = self.org.network_topologies.create_network_topology(topology).data["id"]
        check("a topology of a taken name", refusal(self.org.network_topologies.create_network_topology, topology) in (400, 409))
        self.org.network_topologies.delete_network_topology(made)
        asset = {"meta": {"name": "edge-c", "scope": "project", "projectId": int(self.mine)}, "spec": {"cpuCoreRequest": 1}}
        made = self.me.workload_assets.compute.create_compute_asset(asset).data["meta"]["id"]
        check("an asset of a taken name", refusal(self.me.workload_assets.compute.create_compute_asset, asset) == 409)
        self.me.workload_assets.compute.delete_compute_asset_by_id(made)

    def conflicting_affinities(self):
        term = lambda *e: {"matchExpressions": [dict(key=k, operator=o, **({"values": v} if v is not None else {})) for k, o, v in e]}
        for what, terms in (
                ("an empty term", [{}]), ("a term without expressions", [{"matchExpressions": []}]), ("no term", []),
                ("In without values", [term(("k", "In", []))]), ("Exists with values", [term(("k", "Exists", ["v"]))]),
                ("Gt with a word", [term(("k", "Gt", ["many"]))]), ("Gt with two values", [term(("k", "Gt", ["1", "2"]))]),
                ("an unknown operator", [term(("k", "Near", ["v"]))]), ("In and NotIn", [term(("k", "In", ["v"]), ("k", "NotIn", ["v"]))]),
                ("Exists and DoesNotExist", [term(("k", "Exists", None), ("k", "DoesNotExist", None))]),
                ("two Ins apart", [term(("k", "In", ["v"]), ("k", "In", ["w"]))]),
                ("Gt and Lt apart", [term(("k", "Gt", ["5"]), ("k", "Lt", ["6"]))]),
                ("a bad key", [term(("no key!", "Exists", None))])):
            status = refusal(self.me.workloads.workspaces.create_workspace1, self.named(
                "affine", self.mine, nodeAffinityRequired={"nodeSelectorTerms": terms}))
            check(f"{what} is refused", status == 400, status)

    def envelopes(self):
        """Refusals: every one in the envelope, nothing half applied"""
        raw, base = self.raw, "/api/v1/workloads/trainings"
        good = self.named("never", self.mine)
        for what, body in (("no JSON", "{"), ("a JSON string", '"x"'), ("a list", "[]"), ("a number", "7"), ("two values", "{} {}"),
                           ("bad UTF-8", b'{"name":"\xff"}'), ("an empty object", {}), ("no name", {k: v for k, v in good.items() if k != "name"}),
                           ("no project", {k: v for k, v in good.items() if k != "projectId"}),
                           ("no cluster", {k: v for k, v in good.items() if k != "clusterId"}),
                           ("a number for a name", good | {"name": 7}), ("an unknown field", good | {"colour": "red"}),
                           ("an unknown field in spec", good | {"spec": {"image": IMAGE, "colour": "red"}}),
                           ("a list for a spec", good | {"spec": []}), ("a string for a number", good | {"spec": {"image": IMAGE, "compute": {"gpuDevicesRequest": "1"}}}),
                           ("a fraction of devices", good | {"spec": {"image": IMAGE, "compute": {"gpuDevicesRequest": 1.5}}}),
                           ("fewer than none", good | {"spec": {"image": IMAGE, "compute": {"gpuDevicesRequest": -1}}}),
                           ("no image", good | {"spec": {}}), ("an unknown pool", good | {"spec": {"image": IMAGE, "nodePools": ["nowhere"]}}),
                           ("an unknown cluster", good | {"clusterId": NOBODY}), ("a name with capitals", good | {"name": "Never"}),
                           ("a name of 64", good | {"name": "n" * 64}), ("an empty name", good | {"name": ""}),
                           ("an unknown priority", good | {"spec": {"image": IMAGE, "priorityClass": "urgent"}}),
                           ("a portion without its size", good | {"spec": {"image": IMAGE, "compute": {"gpuDevicesRequest": 1, "gpuRequestType": "portion"}}}),
                           ("a portion of 2", good | {"spec": {"image": IMAGE, "compute": {"gpuDevicesRequest": 1, "gpuRequestType": "portion", "gpuPortionRequest": 2}}}),
                           ("a limit below its request", good | {"spec": {"image": IMAGE, "compute": {"cpuCoreRequest": 2, "cpuCoreLimit": 1}}}),
                           ("a bad quantity", good | {"spec": {"image": IMAGE, "compute": {"cpuMemoryRequest": "1 GB"}}}),
                           ("a type of node nobody has", good | {"spec": {"image": IMAGE, "nodeType": "quantum"}}),
                           ("Exists with a value", good | {"spec": {"image": IMAGE, "tolerations": [{"name": "t", "key": "k", "operator": "Exists", "value": "v", "effect": "NoSchedule"}]}}),
                           ("seconds without NoExecute", good | {"spec": {"image": IMAGE, "tolerations": [{"name": "t", "key": "k", "operator": "Exists", "effect": "NoSchedule", "seconds": 5}]}})):
            raw.refused(what, 400, "POST", base, body)
        for query in ("wait=never", "wait=scheduled&timeoutSeconds=0", "dryRun=some"):
            raw.refused(query, 400, "POST", f"{base}?{query}", good)
        check("nothing was made", self.admin.workloads.workloads.count_workloads(filter_by=["name==never"]).data["count"] == 0)
        raw.refused("a body of another type", (400, 415), "POST", base, json.dumps(good), Content_Type="text/plain")
        for path in ("/api/v1/nothing", "/api/v1", "/", "/api/v3/workloads", "/api/v1/workloads/x/y/z"):
            raw.refused(f"GET {path}", 404, "GET", path)
        for method, path in (("PUT", "/api/v1/workloads"), ("PATCH", base), ("DELETE", "/api/v1/org-unit/projects"), ("POST", "/api/v1/workloads")):
            raw.refused(f"{method} {path}", 405, method, path, {})
        for path in ("/api/v1/workloads/{}", base + "/{}", "/api/v1/workloads/{}/pods", "/api/v1/org-unit/projects/{}", "/api/v1/node-pools/{}",
                     "/api/v1/service-accounts/{}", "/api/v1/asset/compute/{}", "/api/v1/clusters/{}", "/api/v1/org-unit/departments/{}",
                     "/api/v1/network-topologies/{}", "/api/v1/authorization/access-rules/{}", "/api/v1/workload-templates/{}"):
            for id_ in (NOBODY, "no-uuid", "%27%20or%201=1", "-1", "999999999999999999999999"):
                raw.refused(f"an id {id_}", (400, 404), "GET", path.format(id_))
        for what, token in (("no token", ""), ("rubbish", "rubbish"), ("a token of others", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.x"),
                            ("no signature", self.raw.token.rsplit(".", 1)[0] + "."), ("alg none", "eyJhbGciOiJub25lIn0." + self.raw.token.split(".")[1] + ".")):
            raw.refused(what, 401, "GET", "/api/v1/workloads", token=token)
        for body in ({}, {"grantType": "client_credentials"}, {"grantType": "magic"},
                     {"grantType": "client_credentials", "clientId": "nobody", "clientSecret": "x"},
                     {"grantType": "client_credentials", "clientId": os.environ["BERTH_CLIENT_ID"], "clientSecret": "x"},
                     {"grantType": "password", "username": "nobody", "password": "x"}, {"grantType": "refresh_token", "refreshToken": "x"}):
            raw.refused(f"a token for {list(body)}", 400, "POST", "/api/v1/token", body, token="")
        answer = raw("POST", "/api/v2/token", "grant_type=client_credentials&client_id=x&client_secret=y", token="", Content_Type="application/x-www-form-urlencoded")
        check("v2 refuses as OAuth does", answer.status == 401 and json.loads(answer.data)["error"] == "invalid_client", answer.data)
        answer = raw("POST", "/api/v2/token", "grant_type=magic", token="", Content_Type="application/x-www-form-urlencoded")
        check("and names the grant", answer.status == 400 and json.loads(answer.data)["error"] == "unsupported_grant_type", answer.data)
        for body in ({"ids": [], "action": "delete"}, {"ids": [NOBODY] * 101, "action": "delete"}, {"ids": [NOBODY], "action": "explode"},
                     {"ids": ["no-uuid"], "action": "delete", "x": 1}, {"action": "delete"}):
            raw.refused("a bad batch", 400, "POST", "/api/v1/workloads/batch", body)
        for query in ("", "start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z", "metricType=GPU_ALLOCATION&start=x&end=y",
                      "metricType=COLOUR&start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z",
                      "metricType=GPU_ALLOCATION&start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z&numberOfSamples=1001"):
            made = self.train(self.me, "measured", self.mine, 0) if not query else made
            raw.refused(f"metrics with {query!r}", 400, "GET", f"/api/v1/workloads/{made}/metrics?{query}")
        self.drop(made)
        answer = raw("POST", base, b"{" + b" " * (9 << 20) + b"}")
        check("a body of nine megabytes: 413 in the envelope", answer.status == 413 and json.loads(answer.data).get("code") == 413, answer.status)
        for resources in ([{"nodePool": {"id": "424242", "name": "x"}}], [{"gpu": {"deserved": -1}}], [{"gpu": {"limit": -2}}],
                          [{"gpu": {"deserved": 1}}, {"gpu": {"deserved": 2}}], [{"gpu": {"overQuotaWeight": -1}}], [{"memory": {"deserved": 1, "units": "TB"}}]):
            raw.refused(f"resources {resources}", 400, "POST", "/api/v1/org-unit/projects",
                        dict(name="edge-bad", clusterId=self.cluster, resources=resources))
        check("no project was made", self.org.projects.count_projects(filter_by=["name==edge-bad"]).data["count"] == 0)

    def quota(self):
        """Quota: what is guaranteed, what goes over, and what waits with its reason"""
        firm = self.me.workloads.workspaces.create_workspace1(self.named("firm", self.mine, compute={"gpuDevicesRequest": 6})).data["workloadId"]
        check("within the quota it runs", all(self.running(firm)))
        more = self.me.workloads.workspaces.create_workspace1(self.named("more", self.mine, compute={"gpuDevicesRequest": 4})).data["workloadId"]
        waiting = wait(lambda: self.seen(more), lambda w: w.get("phaseReason"))
        check("beyond it a workspace waits", waiting["phase"] == "Pending" and waiting["phaseReason"] == "NonPreemptibleOverQuota", waiting)
        messages = waiting["pendingSchedulingMessages"]
        check("with the reason per pool", [(m["nodePool"], m["phaseReason"]) for m in messages] == [("edge-a", "NonPreemptibleOverQuota")], messages)
        check("in words", "Non-preemptible workload is over quota. Workload requested 4 GPUs" in waiting["phaseMessage"] + json.dumps(messages), waiting["phaseMessage"])
        train = self.train(self.me, "over", self.mine, 4)
        check("a training goes over", all(self.running(train)))
        status = wait(lambda: self.org.projects.get_project(self.mine).data["status"],
                      lambda s: s["quotaStatus"]["allocated"]["gpu"] == 10)
        check("the project's use is counted", status["quotaStatus"]["allocated"]["gpu"] == 10
              and status["quotaStatus"]["allocatedNonPreemptible"]["gpu"] == 6, status["quotaStatus"])
        check("the quota cannot shrink under it", refusal(
            self.org.projects.patch_project_resources, self.mine, self.resources({"edge-a": 5})) == 400)
        self.org.projects.patch_project_resources(self.mine, self.resources({"edge-a": 10}))
        check("a larger quota lets it run", all(self.running(more)), self.seen(more)["phaseMessage"])
        self.org.projects.patch_project_resources(self.mine, [dict(
            nodePool={"id": self.pools["edge-b"]["id"], "name": "edge-b"}, gpu={"limit": 2})])
        capped = self.train(self.me, "capped", self.mine, 3, nodePools=["edge-b"])
        waiting = wait(lambda: self.seen(capped), lambda w: w.get("phaseReason"))
        check("a limit is a limit", waiting["phaseReason"] == "OverLimit", waiting)
        self.org.projects.patch_project_resources(self.mine, [dict(
            nodePool={"id": self.pools["edge-b"]["id"], "name": "edge-b"}, gpu={"limit": -1})])
        check("without it, it runs", all(self.running(capped)))
        half = [self.me.workloads.trainings.create_training1(self.named(f"half-{i}", self.mine, nodePools=["edge-b"], compute={
            "gpuDevicesRequest": 1, "gpuRequestType": "portion", "gpuPortionRequest": 0.5})).data["workloadId"] for i in (1, 2)]
        check("halves of a device run", all(self.running(*half)))
        check("and count as halves", [self.seen(h)["allocatedResources"]["gpu"] for h in half] == [0.5, 0.5])
        self.drop(firm, more, train, capped, *half)
        self.org.projects.patch_project_resources(self.mine, self.resources({"edge-a": 8}))

    def gangs(self):
        """Gangs: whole or not at all, in one pool"""
        hold = self.train(self.they, "hold", self.theirs, 1)
        check("one device of pool b is taken", all(self.running(hold)))
        whole = self.gang(self.me, "whole", self.mine, 4, 4, nodePools=["edge-b", "edge-a"])
        done = self.in_phase(whole, "Running")
        pods = self.pods(whole)
        check("a gang that fits only in the second pool lands whole in it", done["phase"] == "Running"
              and {p["currentNodePool"] for p in pods} == {"edge-a"} and len(pods) == 4, [(p["name"], p["currentNodePool"]) for p in pods])
        check("requested pools stay as they were", pods[0]["requestedNodePools"] == ["edge-b", "edge-a"])
        large = self.gang(self.me, "large", self.mine, 5, 4, nodePools=["edge-a"])
        none = lambda: self.seen(large)
        wait(none, lambda w: w["phase"] == "Pending")
        check("a gang too large for its pool has no pod running", stays(
            none, lambda w: w["runningPods"] == 0 and w["allocatedResources"]["gpu"] == 0))
        small = self.train(self.me, "small", self.mine, 1, nodePools=["edge-b"])
        check("it holds nobody up", all(self.running(small)))
        self.drop(whole)
        check("also not when there is room for a part", stays(none, lambda w: w["runningPods"] == 0))
        self.drop(hold, large, small)

    def reclaims(self):
        """Reclaim: just enough, whole workloads, never what is guaranteed"""
        twins = self.admin
        guest = [self.train(twins, f"guest-{i}", self.twin, 2) for i in range(8)]
        check("a project fills the pool beyond its quota", all(self.running(*guest)))
        mine = self.train(self.me, "owner", self.mine, 4)
        check("the owner of quota gets its share", all(self.running(mine)), self.seen(mine)["phaseMessage"])
        states = lambda: [self.seen(g)["phase"] for g in guest]
        check("and exactly two of the guests make room", stays(states, lambda s: s.count("Running") == 6), states())
        evicted = next(g for g in guest if self.seen(g)["phase"] != "Running")
        told = json.dumps(wait(lambda: self.admin.workloads.events.get_workload_events(evicted).data["events"],
                               lambda e: "preempted" in json.dumps(e)))
        check("the event says by whom", "was preempted by workload" in told, told)
        second = self.train(self.me, "owner-2", self.mine, 4)
        check("up to its quota", all(self.running(second)))
        check("then the twin has its own quota left", stays(states, lambda s: s.count("Running") == 4), states())
        third = self.train(self.me, "owner-3", self.mine, 2)
        wait(lambda: self.seen(third), lambda w: w["phase"] == "Pending")
        check("and not beyond it", stays(lambda: (self.seen(third)["phase"], states().count("Running")), lambda s: s == ("Pending", 4)))
        self.drop(third, second, mine)
        check("the guests come back", wait(states, lambda s: s.count("Running") == 8).count("Running") == 8)
        gang = self.gang(self.me, "gang", self.mine, 2, 4)
        check("a gang reclaims whole", all(self.running(gang)) and self.seen(gang)["runningPods"] == 2)
        check("from exactly four guests", stays(states, lambda s: s.count("Running") == 4), states())
        self.drop(gang, *guest)
        low = self.train(self.me, "low", self.mine, 8, priorityClass="low")
        rest = self.train(twins, "rest", self.twin, 8)
        check("both quotas are full", all(self.running(low, rest)))
        high = self.train(self.me, "high", self.mine, 8, priorityClass="very-high", preemptibility="preemptible")
        check("priority preempts within a project", all(self.running(high)) and self.seen(low)["phase"] != "Running")
        check("and not in another", self.seen(rest)["phase"] == "Running")
        self.drop(low, rest, high)

    def policies(self):
        """Policies: hierarchy, compliance, every issue at once"""
        api = self.admin.policies.policy
        put = lambda scope, policy, **meta: api.overwrite_training_policy_v2(
            training_policy_overwrite_request_v2={"meta": {"scope": scope, "name": "edge", **meta}, "policy": policy})
        department, project = dict(departmentId=self.research), dict(projectId=int(self.mine))
        put("department", {"defaults": {"image": IMAGE, "compute": {"gpuDevicesRequest": 1}, "nodePools": ["edge-b"]},
                           "rules": {"compute": {"gpuDevicesRequest": {"min": 1, "max": 4}}, "nodePools": {"canEdit": False},
                                     "annotations": {"instances": {"canAdd": False}}}}, **department)
        made = self.me.workloads.trainings.create_training1({"name": "plain", "projectId": self.mine, "clusterId": self.cluster, "spec": {}}).data
        check("defaults fill what is not given", made["spec"].get("nodePools") == ["edge-b"] and made["spec"]["image"] == IMAGE, made["spec"])
        self.drop(made["workloadId"])
        try:
            self.me.workloads.trainings.create_training1(self.named(
                "bad", self.mine, compute={"gpuDevicesRequest": 5}, nodePools=["edge-a"], annotations=[{"name": "a", "value": "b"}]))
            issues = None
        except ApiException as e:
            issues = {(i["field"], i.get("rule")) for i in e.data["complianceIssues"]}
            check("the message is the API's", e.data["message"] == "The workload request does not comply with the policy set by the administrator", e.data)
        check("every issue is named at once", issues == {("compute.gpuDevicesRequest", "max"), ("nodePools", "canEdit"), ("annotations", "canAdd")}, issues)
        elsewhere = self.train(self.they, "free", self.theirs, 0)
        check("another department is free of it", elsewhere)
        self.drop(elsewhere)
        told = refusal(put, "project", {"rules": {"compute": {"gpuDevicesRequest": {"max": 8}}}}, **project)
        check("a project cannot loosen compute", told == 400, told)
        put("project", {"rules": {"nodePools": {"canEdit": True}}}, **project)
        loose = self.train(self.me, "loose", self.mine, 1, nodePools=["edge-a"])
        check("but may loosen the rest", all(self.running(loose)))
        self.drop(loose)
        check("an unknown field is refused", refusal(put, "project", {"defaults": {"colour": "red"}}, **project) == 400)
        effective = api.get_training_policy_v2(scope="project", project_id=self.mine).data["effective"]
        check("the effective policy says whence", effective["rules"]["compute"]["gpuDevicesRequest"].get("sourceOfRule", {}).get("scope") == "department"
              or "department" in json.dumps(effective["rules"]), effective)
        api.delete_training_policy(scope="project", project_id=self.mine)
        api.delete_training_policy(scope="department", department_id=self.research)
        check("a policy that is not there", refusal(api.delete_training_policy, scope="project", project_id=self.mine) == 404)


def main():
    story = Story()
    story.clear()
    check.section(story.build)
    try:
        for steps in (story.filters, story.apart, story.roles, story.conflicts, story.envelopes,
                      story.quota, story.gangs, story.reclaims, story.policies):
            if not set(sys.argv[1:]) - {"-v"} or steps.__name__ in sys.argv:
                check.section(steps)
    finally:
        story.clear()
    print(f"{check.held} of {check.total} checks hold")
    sys.exit(check.held != check.total)


if __name__ == "__main__":
    main()
