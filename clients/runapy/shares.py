"""Who gets what when all want more, what happens at once, and what a restart keeps: Run:ai's Python client against Berth. See README.md."""
import concurrent.futures
import json
import sys

from edges import Story, check, refusal, stays, wait


class Shares(Story):

    def owner(self, name, a=0, b=0, department=None, **gpu):
        return self.project("edge-" + name, department or self.research, ["edge-a"], {"edge-a": a, "edge-b": b}, **gpu)

    def phases(self, *workloads):
        return [self.seen(w)["phase"] for w in workloads]

    def run(self, *workloads):
        return self.phases(*workloads).count("Running")

    def distributed(self, name, project, workers, gpus, **spec):
        return self.gang(self.admin, name, project, workers + 1, gpus, **spec)

    def at_the_same_time(self, *calls):
        """Makes calls at the same time; the statuses they end with, 0 for success."""
        def status(call):
            return refusal(*call) or 0
        with concurrent.futures.ThreadPoolExecutor(16) as threads:
            return list(threads.map(status, calls))

    # -- sections

    def weights(self):
        """Over quota: by weight, to the GPU, and nobody is moved twice"""
        projects = [self.owner("w2", overQuotaWeight=2), self.owner("w3", overQuotaWeight=3), self.owner("w1", overQuotaWeight=1)]
        jobs = [[self.train(self.admin, f"w{i}-{j}", p, 1) for j in range(16)] for i, p in enumerate(projects)]
        counts = lambda: [self.run(*each) for each in jobs]
        check("sixteen GPUs by weights 2, 3, 1: 5, 8, 3", wait(counts, lambda c: c == [5, 8, 3]) == [5, 8, 3], counts())
        check("and so it stays", stays(counts, lambda c: c == [5, 8, 3]), counts())
        self.drop(*sum(jobs, []))
        half = dict(compute={"gpuDevicesRequest": 1, "gpuRequestType": "portion", "gpuPortionRequest": 0.5})
        jobs = [[self.admin.workloads.trainings.create_training1(self.named(f"h{i}-{j}", p, **half)).data["workloadId"]
                 for j in range(32)] for i, p in enumerate(projects)]
        check("in halves of devices the same", wait(counts, lambda c: c == [10, 16, 6]) == [10, 16, 6], counts())
        used = lambda: [self.org.projects.get_project(p).data["status"]["quotaStatus"]["allocated"]["gpu"] for p in projects]
        check("counted as such", wait(used, lambda u: u == [5, 8, 3]) == [5, 8, 3], used())
        self.drop(*sum(jobs, []))

    def guarantees(self):
        """Guaranteed run time, ranks, priorities"""
        owner, guest, pool = self.owner("owner", 8, 8), self.owner("guest"), self.pools["edge-a"]["id"]
        guarantee = lambda time: self.org.node_pools.patch_nodepool(pool, {"schedulingConfiguration": {"minGuaranteedRuntime": time}})
        guarantee("1h")
        guests = [self.train(self.admin, f"guest-{i}", guest, 4) for i in range(4)]
        check("guests fill the pool", all(self.running(*guests)))
        check("and are told how long they are safe", self.seen(guests[0])["guaranteedRuntimeEndsAt"], self.seen(guests[0]))
        mine = self.train(self.admin, "own", owner, 4)
        check("so long the owner waits", stays(lambda: self.run(*guests), lambda n: n == 4), self.phases(*guests))
        guarantee("0s")
        check("then it runs", all(self.running(mine)), self.seen(mine)["phaseMessage"])
        check("for one of them", stays(lambda: self.run(*guests), lambda n: n == 3), self.phases(*guests))
        self.drop(mine, *guests)
        first, last = self.owner("first"), self.owner("last")
        rank = lambda p, name: self.org.projects.patch_project_resources(
            p, [dict(nodePool={"id": pool, "name": "edge-a"}, gpu={"deserved": 0}, priority=name)])
        rank(first, "High"), rank(last, "Low")
        low = [self.train(self.admin, f"low-{i}", last, 2) for i in range(8)]
        check("the last in rank fills the pool", all(self.running(*low)))
        high = [self.train(self.admin, f"high-{i}", first, 2) for i in range(6)]
        check("the first takes all it asks for", all(self.running(*high)))
        check("and leaves the rest", stays(lambda: self.run(*low), lambda n: n == 2), self.phases(*low))
        self.drop(*low, *high)
        one = self.owner("one", 16)
        jobs = [self.train(self.admin, f"{name}-{i}", one, 2, priorityClass=name) for name in ("low", "medium") for i in range(4)]
        check("a quota is used whole", all(self.running(*jobs)))
        urgent = self.train(self.admin, "urgent", one, 4, priorityClass="high", preemptibility="preemptible")
        check("the urgent one runs", all(self.running(urgent)))
        check("for two of the lowest priority", stays(lambda: [self.run(*jobs[:4]), self.run(*jobs[4:])], lambda n: n == [2, 4]))
        self.drop(urgent, *jobs)

    def gangs_give(self):
        """Gangs give way whole; elastic ones by what they can spare"""
        owner, guest = self.owner("o", 8, 8), self.owner("g")
        gangs = [self.distributed(f"gang-{i}", guest, 3, 2) for i in range(2)]
        check("two gangs of four", all(self.running(*gangs)))
        mine = self.train(self.admin, "own", owner, 1)
        check("the owner runs", all(self.running(mine)))
        pods = lambda *w: sorted(self.seen(each)["runningPods"] for each in w)
        check("for one whole gang", wait(lambda: pods(*gangs), lambda p: p == [0, 4]) == [0, 4]
              and stays(lambda: pods(*gangs), lambda p: p == [0, 4]), pods(*gangs))
        self.drop(mine, *gangs)
        elastic = self.distributed("elastic", guest, 7, 2, minReplicas=3, maxReplicas=7)
        check("an elastic gang takes what is free", wait(lambda: pods(elastic), lambda p: p == [8]) == [8], pods(elastic))
        mine = self.train(self.admin, "own", owner, 4)
        check("the owner runs again", all(self.running(mine)))
        check("it gives two pods and runs on", wait(lambda: pods(elastic), lambda p: p == [6]) == [6]
              and all(self.running(elastic)), (pods(elastic), self.phases(elastic)))
        self.drop(mine)
        check("and takes them back", wait(lambda: pods(elastic), lambda p: p == [8]) == [8], pods(elastic))
        self.drop(elastic)
        half = self.owner("semi", 8)
        semi = self.distributed("semi", half, 7, 2, minReplicas=3, maxReplicas=7, preemptibility="semi-preemptible")
        check("a semi-preemptible gang goes over quota", wait(lambda: pods(semi), lambda p: p == [8]) == [8], pods(semi))
        status = lambda: self.org.projects.get_project(half).data["status"]["quotaStatus"]
        held = wait(status, lambda s: s["allocated"]["gpu"] == 16)
        check("with its least part non-preemptible", held["allocatedNonPreemptible"]["gpu"] == 8, held)
        mine = [self.train(self.admin, f"own-{i}", owner, 4) for i in range(2)]
        check("the owner gets all it deserves", all(self.running(*mine)))
        check("and not what is guaranteed to it", stays(lambda: pods(semi), lambda p: p == [4]), pods(semi))
        more = self.distributed("more", half, 1, 1, preemptibility="semi-preemptible")
        waiting = wait(lambda: self.seen(more), lambda w: w.get("phaseReason"))
        check("another one over quota waits", waiting["phaseReason"] == "NonPreemptibleOverQuota", waiting)
        self.drop(semi, more, *mine)

    def departments(self):
        """A department's quota and limit bound its projects together"""
        department = self.org.departments.create_department(dict(
            name="edge-small", clusterId=self.cluster, resources=self.resources({"edge-a": 4}) + self.resources({"edge-b": 4}, limit=6))).data["id"]
        one, two = self.owner("s1", 8, 8, department), self.owner("s2", 8, 8, department)
        work = lambda name, project, gpus: self.admin.workloads.workspaces.create_workspace1(
            self.named(name, project, compute={"gpuDevicesRequest": gpus})).data["workloadId"]
        first, second = work("first", one, 3), work("second", two, 2)
        check("within the department's quota", all(self.running(first)))
        why = wait(lambda: self.seen(second), lambda w: w.get("phaseReason"))["pendingSchedulingMessages"]
        check("beyond it", [(m["phaseReason"], m.get("orgType")) for m in why] == [("NonPreemptibleOverQuota", "DEPARTMENT")], why)
        third = self.train(self.admin, "third", one, 4, nodePools=["edge-b"])
        check("within its limit", all(self.running(third)))
        fourth = self.train(self.admin, "fourth", two, 4, nodePools=["edge-b"])
        why = wait(lambda: self.seen(fourth), lambda w: w.get("phaseReason"))["pendingSchedulingMessages"]
        check("beyond that", [(m["phaseReason"], m.get("orgType")) for m in why] == [("OverLimit", "DEPARTMENT")], why)
        self.drop(first, second, third, fourth)

    def one_pool(self):
        """A node is in one pool, whatever its labels say"""
        made = self.raw("POST", "/api/v1/node-pools", dict(
            name="edge-typed", labelKey="run.ai/type", labelValue="training", clusterId=self.cluster))
        typed = json.loads(made.data)
        check("who claims another's nodes is told", "stays in an older node pool" in made.headers.get("Warning", ""), made.headers)
        check("and has none of them", typed["phase"] == "Empty" and typed["status"]["conditions"][0]["type"] == "LabelConflict", typed)
        lost = self.train(self.admin, "lost", self.mine, 1, nodePools=["edge-typed"])
        check("nothing of it runs there", stays(lambda: self.seen(lost), lambda w: w["runningPods"] == 0), self.seen(lost))
        self.drop(lost)
        self.org.node_pools.delete_nodepool(typed["id"])

    def at_once(self):
        """Many at once: one name, one pool, one secret; no change is lost"""
        work = self.admin.workloads
        kinds = (work.trainings.create_training1, work.workspaces.create_workspace1,
                 work.distributed.create_distributed, work.inferences.create_inference1)
        for i in range(3):
            got = self.at_the_same_time(*[(kind, self.named(f"same-{i}", self.mine)) for kind in kinds * 4])
            check("one name, one workload", sorted(got) == [0] + [400] * 15, got)
        for what, create, body in (
                ("project", self.org.projects.create_project, dict(name="edge-race", clusterId=self.cluster, resources=[])),
                ("department", self.org.departments.create_department, dict(name="edge-race", clusterId=self.cluster, resources=[])),
                ("account", self.iam.service_accounts.create_service_account, dict(name="edge-race"))):
            got = self.at_the_same_time(*[(create, body)] * 8)
            check(f"one {what}", sorted(got) == [0] + [409] * 7 or sorted(got) == [0] + [400] * 7, got)
        got = self.at_the_same_time(*[(self.org.node_pools.create_nodepool, dict(
            name=f"edge-race-{i}", labelKey="edge-race", labelValue="x", clusterId=self.cluster)) for i in range(8)])
        check("one pool for a label", sorted(got) == [0] + [400] * 7, got)
        for i in (3, 4, 5):
            self.at_the_same_time(*[(self.org.projects.patch_project_resources, self.twin, self.resources({pool: i})) for pool in self.pools])
            seen = {r["nodePool"]["name"]: r["gpu"]["deserved"] for r in self.org.projects.get_project(self.twin).data["resources"]}
            check("both changes hold", all(seen[pool] == i for pool in self.pools), seen)
        served = work.inferences.create_inference1(self.named("served", self.mine, servingPort={"container": 80})).data["workloadId"]
        check("an inference runs", all(self.running(served)))
        patch = work.inferences.update_inference_spec
        self.at_the_same_time(*[(patch, served, {"spec": s}) for s in ({"image": "next:1"}, {"args": "a b"}, {"compute": {"cpuCoreRequest": 1}})])
        spec = work.inferences.get_inference(served).data["spec"]
        check("three changes of one inference hold", (spec["image"], spec["args"], spec["compute"]["cpuCoreRequest"]) == ("next:1", "a b", 1), spec)
        revisions = lambda: work.revisions.get_inference_workload_revisions(served).data["revisions"]
        check("the last revision runs alone", [r["phase"] for r in wait(
            revisions, lambda r: r[-1]["phase"] == "Running" and r[-1]["images"] == ["next:1"])][-1] == "Running"
            and sum(r["runningPods"] for r in revisions()) == 1, revisions())
        jobs = [self.train(self.admin, f"brief-{i}", self.mine, 1) for i in range(8)]
        got = self.at_the_same_time(*[(call, job) for job in jobs for call in (work.trainings.delete_training, work.trainings.suspend_training)])
        check("deleted while they start", set(got) <= {0, 404}, got)
        left = lambda: [w["name"] for w in work.workloads.get_workloads(filter_by=["name=^brief-"]).data["workloads"]]
        check("all of them", wait(left, lambda names: not names) == [], left())


def main():
    story = Shares()
    story.clear()
    check.section(story.build)
    try:
        for steps in (story.weights, story.guarantees, story.gangs_give, story.departments, story.one_pool, story.at_once):
            if not set(sys.argv[1:]) - {"-v"} or steps.__name__ in sys.argv:
                check.section(steps)
    finally:
        story.clear()
    print(f"{check.held} of {check.total} checks hold")
    sys.exit(check.held != check.total)


if __name__ == "__main__":
    main()
