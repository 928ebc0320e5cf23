// Package kube drives the real kube-scheduler without an API server: objects go straight into its informer stores and
// its cache, in the order a watch would deliver them, and one scheduling cycle at a time is asked for.
package kube

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	config "k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	schedcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// Engine is one scheduler with one profile.
type Engine struct {
	ctx     context.Context
	cancel  context.CancelFunc
	log     klog.Logger
	sched   *scheduler.Scheduler
	fw      framework.Framework
	snap    *schedcache.Snapshot
	inf     informers.SharedInformerFactory
	filters []fwk.FilterPlugin
	weights map[string]int
	preempt *defaultpreemption.DefaultPreemption
}

// Parallelism is the number of workers of each scheduler. It changes no decision.
var Parallelism int32 = 2

// DecodeConfig reads a KubeSchedulerConfiguration (v1 JSON), with defaults. Empty input gives the default configuration.
func DecodeConfig(raw []byte) (*config.KubeSchedulerConfiguration, error) {
	if len(raw) == 0 {
		versioned := configv1.KubeSchedulerConfiguration{}
		scheme.Scheme.Default(&versioned)
		out := &config.KubeSchedulerConfiguration{}
		return out, scheme.Scheme.Convert(&versioned, out, nil)
	}
	obj, _, err := scheme.Codecs.UniversalDecoder().Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	out, ok := obj.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("not a KubeSchedulerConfiguration: %T", obj)
	}
	return out, nil
}

// New builds a scheduler. percentage is percentageOfNodesToScore, 0 meaning adaptive.
func New(rawConfig []byte, percentage int32) (*Engine, error) {
	cfg, err := DecodeConfig(rawConfig)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	client := fake.NewSimpleClientset()
	inf := scheduler.NewInformerFactory(client, 0, nil)
	snap := schedcache.NewEmptySnapshot()
	recorders := func(string) events.EventRecorderLogger { return &events.FakeRecorder{} }
	s, err := scheduler.New(ctx, client, inf, nil, recorders,
		scheduler.WithProfiles(cfg.Profiles...),
		scheduler.WithPercentageOfNodesToScore(&percentage),
		scheduler.WithNodeInfoSnapshot(snap),
		scheduler.WithParallelism(Parallelism),
	)
	if err != nil {
		cancel()
		return nil, err
	}
	e := &Engine{ctx: ctx, cancel: cancel, log: klog.FromContext(ctx), sched: s, snap: snap, inf: inf}
	e.fw = s.Profiles[cfg.Profiles[0].SchedulerName]
	e.filters = *(*[]fwk.FilterPlugin)(hidden(e.fw, "filterPlugins"))
	e.weights = *(*map[string]int)(hidden(e.fw, "scorePluginWeight"))
	for _, p := range *(*[]fwk.PostFilterPlugin)(hidden(e.fw, "postFilterPlugins")) {
		if d, ok := p.(*defaultpreemption.DefaultPreemption); ok {
			e.preempt = d
			// Victims are only named, never evicted: the recorder decides what happens next.
			d.Executor.PreemptPod = func(context.Context, preemption.Candidate, preemption.ExecutorPreemptor, *v1.Pod, string) (bool, error) {
				return false, nil
			}
		}
	}
	return e, nil
}

// hidden gives the address of an unexported field of the framework, so that its very plugin instances are asked.
func hidden(f framework.Framework, name string) unsafe.Pointer {
	field := reflect.ValueOf(f).Elem().FieldByName(name)
	if !field.IsValid() {
		panic("framework has no field " + name)
	}
	return unsafe.Pointer(field.UnsafeAddr())
}

// Close stops the background routines.
func (e *Engine) Close() {
	e.sched.SchedulingQueue.Close()
	e.cancel()
}

func (e *Engine) podStore() cache.Indexer { return e.inf.Core().V1().Pods().Informer().GetIndexer() }

// Put stores an object that plugins read through listers: Namespace, Service, ReplicaSet, StatefulSet, PDB.
func (e *Engine) Put(obj runtime.Object) {
	var store cache.Indexer
	switch obj.(type) {
	case *v1.Namespace:
		store = e.inf.Core().V1().Namespaces().Informer().GetIndexer()
	case *v1.Service:
		store = e.inf.Core().V1().Services().Informer().GetIndexer()
	case *policy.PodDisruptionBudget:
		store = e.inf.Policy().V1().PodDisruptionBudgets().Informer().GetIndexer()
	default:
		store = e.appsStore(obj)
	}
	must(store.Update(obj))
}

// AddNode, UpdateNode and RemoveNode do what the node watch does.
func (e *Engine) AddNode(n *v1.Node) {
	must(e.inf.Core().V1().Nodes().Informer().GetIndexer().Add(n))
	e.sched.Cache.AddNode(e.log, n)
}

func (e *Engine) UpdateNode(old, n *v1.Node) {
	must(e.inf.Core().V1().Nodes().Informer().GetIndexer().Update(n))
	e.sched.Cache.UpdateNode(e.log, old, n)
}

func (e *Engine) RemoveNode(n *v1.Node) {
	must(e.inf.Core().V1().Nodes().Informer().GetIndexer().Delete(n))
	must(e.sched.Cache.RemoveNode(e.log, n))
}

// AddPod, UpdatePod and RemovePod do what the watch of assigned pods does.
func (e *Engine) AddPod(p *v1.Pod) {
	must(e.podStore().Add(p))
	must(e.sched.Cache.AddPod(e.log, p))
}

func (e *Engine) UpdatePod(old, p *v1.Pod) {
	must(e.podStore().Update(p))
	must(e.sched.Cache.UpdatePod(e.log, old, p))
}

func (e *Engine) RemovePod(p *v1.Pod) {
	must(e.podStore().Delete(p))
	must(e.sched.Cache.RemovePod(e.log, p))
}

// Nominate queues a pending pod whose status names a node.
func (e *Engine) Nominate(p *v1.Pod) {
	must(e.podStore().Add(p))
	e.sched.SchedulingQueue.Add(e.ctx, p)
}

// Unnominate drops a pending nominated pod.
func (e *Engine) Unnominate(p *v1.Pod) {
	e.sched.SchedulingQueue.Delete(e.log, p)
	must(e.podStore().Delete(p))
}

// Assume places a decided pod: first as the scheduler assumes it, then as the watch confirms it.
func (e *Engine) Assume(pending, placed *v1.Pod) {
	assumed := pending.DeepCopy()
	assumed.Spec.NodeName = placed.Spec.NodeName
	must(e.sched.Cache.AssumePod(e.log, assumed))
	must(e.podStore().Update(placed))
	must(e.sched.Cache.AddPod(e.log, placed))
}

// Drop forgets a decided pod that was not placed.
func (e *Engine) Drop(p *v1.Pod) { must(e.podStore().Delete(p)) }

// Decide runs one scheduling cycle for a pending pod and writes down everything it can see. The pod stays in the pod
// store; the caller calls Assume or Drop.
func (e *Engine) Decide(pod *v1.Pod) (*Expect, error) {
	must(e.podStore().Add(pod))
	if err := e.sched.Cache.UpdateSnapshot(e.log, e.snap); err != nil {
		return nil, err
	}
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return nil, fmt.Errorf("pod info: %w", err)
	}
	out := &Expect{}

	// The decision itself.
	state := framework.NewCycleState()
	res, schedErr := e.sched.SchedulePod(e.ctx, e.fw, state, &framework.QueuedPodInfo{PodInfo: info})
	if errors.Is(schedErr, scheduler.ErrNoNodesAvailable) {
		out.Message = schedErr.Error()
		return out, nil
	}
	var fit *framework.FitError
	if schedErr != nil && !errors.As(schedErr, &fit) {
		out.Error = schedErr.Error()
	}

	// The same cycle once more, point by point.
	st := framework.NewCycleState()
	pre, status, rejecting := e.fw.RunPreFilterPlugins(e.ctx, st, pod)
	if !status.IsSuccess() {
		if !status.IsRejected() {
			if out.Error == "" {
				return nil, fmt.Errorf("prefilter error %v but SchedulePod said %v", status, schedErr)
			}
			return out, nil
		}
		pf := statusOf(status)
		out.PreFilter = &pf
		if fit == nil {
			return nil, fmt.Errorf("prefilter rejected, but no FitError: %v", schedErr)
		}
		return out, e.postFilter(out, state, pod, fit)
	}
	all, err := e.snap.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	if pod.Status.NominatedNodeName != "" {
		if ni, err := e.snap.NodeInfos().Get(pod.Status.NominatedNodeName); err == nil {
			if e.fw.RunFilterPluginsWithNominatedPods(e.ctx, st, pod, ni).IsSuccess() {
				if schedErr != nil || res.SuggestedHost != pod.Status.NominatedNodeName {
					return nil, fmt.Errorf("nominated node fits, SchedulePod said %q %v", res.SuggestedHost, schedErr)
				}
				out.NominatedNodeUsed = true
				out.Feasible = []string{res.SuggestedHost}
				out.Best = out.Feasible
				return out, nil
			}
		}
	}
	nodes := all
	if !pre.AllNodes() {
		nodes = nil
		// A nominated node was tried first; its rejection is told even when PreFilter leaves the node out.
		tried := pod.Status.NominatedNodeName
		r := &Restricted{Nodes: []string{}, Reason: fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(rejecting))}
		for _, ni := range all {
			if ni.Node().Name == tried && !pre.NodeNames.Has(tried) {
				nodes = append(nodes, ni)
			}
			if pre.NodeNames.Has(ni.Node().Name) {
				nodes = append(nodes, ni)
				r.Nodes = append(r.Nodes, ni.Node().Name)
			}
		}
		sort.Strings(r.Nodes)
		out.Restricted = r
		if fit != nil && len(r.Nodes) < len(all) {
			// The plugin that rejects a nominated node is named along with those that left nodes out.
			r.Reason = fit.Diagnosis.NodeToStatus.AbsentNodesStatus().Message()
		}
	}
	sort.Slice(nodes, func(i, j int) bool { return nodes[i].Node().Name < nodes[j].Node().Name })
	var feasible []fwk.NodeInfo
	for _, ni := range nodes {
		name := ni.Node().Name
		s := e.fw.RunFilterPluginsWithNominatedPods(e.ctx, st, pod, ni)
		if s.IsSuccess() {
			feasible = append(feasible, ni)
			out.Feasible = append(out.Feasible, name)
			continue
		}
		if !s.IsRejected() {
			if out.Error == "" {
				return nil, fmt.Errorf("filter error on %s: %v, but SchedulePod said %v", name, s, schedErr)
			}
			return &Expect{Error: out.Error}, nil
		}
		rej := NodeReject{Status: statusOf(s)}
		every := e.everyRejection(st, pod, ni)
		if len(every) == 0 || every[0].Plugin != rej.Plugin || !reflect.DeepEqual(every[0].Reasons, rej.Reasons) {
			return nil, fmt.Errorf("node %s: first %v, all %v", name, rej, every)
		}
		if len(every) > 1 {
			rej.All = every
		}
		if out.Infeasible == nil {
			out.Infeasible = map[string]NodeReject{}
		}
		out.Infeasible[name] = rej
		if fit != nil {
			got := fit.Diagnosis.NodeToStatus.Get(name)
			if got.Plugin() != rej.Plugin || got.Code().String() != rej.Code || !reflect.DeepEqual(ordered(got.Plugin(), got.Reasons()), rej.Reasons) {
				return nil, fmt.Errorf("node %s: SchedulePod said %v, filters say %v", name, got, rej)
			}
		}
	}
	if out.Error != "" {
		if len(feasible) < 2 {
			return nil, fmt.Errorf("unexpected error %s", out.Error)
		}
		return out, nil
	}
	if len(feasible) == 0 {
		if fit == nil {
			return nil, fmt.Errorf("no feasible node, SchedulePod said %q %v", res.SuggestedHost, schedErr)
		}
		return out, e.postFilter(out, state, pod, fit)
	}
	if schedErr != nil || res.FeasibleNodes != len(feasible) {
		return nil, fmt.Errorf("SchedulePod said %d feasible (%v), filters say %d", res.FeasibleNodes, schedErr, len(feasible))
	}
	if len(feasible) == 1 {
		out.Best = out.Feasible
	} else if err := e.score(out, st, pod, feasible); err != nil {
		return nil, err
	}
	if !sets.New(out.Best...).Has(res.SuggestedHost) {
		return nil, fmt.Errorf("SchedulePod chose %s, best are %v", res.SuggestedHost, out.Best)
	}
	return out, nil
}

// everyRejection asks each filter plugin by itself, in the situation (with or without nominated pods) that failed.
func (e *Engine) everyRejection(st fwk.CycleState, pod *v1.Pod, ni fwk.NodeInfo) []Status {
	run := func(state fwk.CycleState, node fwk.NodeInfo) []Status {
		var out []Status
		for _, p := range e.filters {
			if state.GetSkipFilterPlugins().Has(p.Name()) {
				continue
			}
			if s := p.Filter(e.ctx, state, pod, node); !s.IsSuccess() {
				out = append(out, Status{Plugin: p.Name(), Code: s.Code().String(), Reasons: ordered(p.Name(), s.Reasons())})
			}
		}
		return out
	}
	with, withState, added := ni.Snapshot(), st.Clone(), false
	for _, pi := range e.sched.SchedulingQueue.NominatedPodsForNode(ni.Node().Name) {
		if corev1.PodPriority(pi.GetPod()) >= corev1.PodPriority(pod) && pi.GetPod().UID != pod.UID {
			with.AddPodInfo(pi)
			e.fw.RunPreFilterExtensionAddPod(e.ctx, withState, pod, pi, with)
			added = true
		}
	}
	if added {
		if out := run(withState, with); len(out) > 0 {
			return out
		}
	}
	return run(st, ni)
}

func (e *Engine) score(out *Expect, st fwk.CycleState, pod *v1.Pod, feasible []fwk.NodeInfo) error {
	if s := e.fw.RunPreScorePlugins(e.ctx, st, pod, feasible); !s.IsSuccess() {
		return fmt.Errorf("prescore: %v", s)
	}
	list, s := e.fw.RunScorePlugins(e.ctx, st, pod, feasible)
	if !s.IsSuccess() {
		return fmt.Errorf("score: %v", s)
	}
	out.Scores = map[string]*Score{}
	best := int64(-1)
	for i, n := range list {
		if n.Name != out.Feasible[i] {
			return fmt.Errorf("score order")
		}
		out.Total = append(out.Total, n.TotalScore)
		if n.TotalScore > best {
			best, out.Best = n.TotalScore, nil
		}
		if n.TotalScore == best {
			out.Best = append(out.Best, n.Name)
		}
		sum := int64(0)
		for j, sc := range n.Scores {
			w := int64(e.weights[sc.Name])
			if w == 0 || sc.Score%w != 0 || n.RawScores[j].Name != sc.Name {
				return fmt.Errorf("weight of %s", sc.Name)
			}
			col := out.Scores[sc.Name]
			if col == nil {
				col = &Score{Weight: w}
				out.Scores[sc.Name] = col
			}
			col.Raw = append(col.Raw, n.RawScores[j].Score)
			col.Norm = append(col.Norm, sc.Score/w)
			sum += sc.Score
		}
		if sum != n.TotalScore {
			return fmt.Errorf("total of %s", n.Name)
		}
	}
	for name, col := range out.Scores {
		// Without claims and volumes that bind these two are 0 everywhere, and say nothing.
		if name == "DynamicResources" || name == "VolumeBinding" {
			if slices.Max(col.Norm) == 0 {
				delete(out.Scores, name)
				continue
			}
		}
		if reflect.DeepEqual(col.Raw, col.Norm) {
			col.Raw = nil
		}
	}
	return nil
}

// postFilter fills in the message and what preemption would do.
func (e *Engine) postFilter(out *Expect, state fwk.CycleState, pod *v1.Pod, fit *framework.FitError) error {
	out.FilterMessage = fit.Error()
	p := &Preemption{}
	out.Preemption = p
	if e.preempt != nil {
		if err := e.dryRun(p, state, pod, fit); err != nil {
			return err
		}
	}
	res, s := e.fw.RunPostFilterPlugins(e.ctx, state, pod, fit.Diagnosis.NodeToStatus)
	p.Code = s.Code().String()
	p.Message = s.Message()
	chosen := ""
	if res != nil && res.NominatingInfo != nil {
		chosen = res.NominatingInfo.NominatedNodeName
	}
	if s.IsSuccess() {
		if !sets.New(p.Chosen...).Has(chosen) {
			return fmt.Errorf("preemption chose %s, acceptable are %v", chosen, p.Chosen)
		}
		// Any tied node may be named; the recorded text names the first of them.
		want := fmt.Sprintf("preemption: found a potential placement for pod on node %s, preempting %d victims", chosen, len(p.Candidates[chosen].Victims))
		if p.Message != want {
			return fmt.Errorf("preemption message %q", p.Message)
		}
		first := p.Chosen[0]
		p.Message = fmt.Sprintf("preemption: found a potential placement for pod on node %s, preempting %d victims", first, len(p.Candidates[first].Victims))
	} else if len(p.Candidates) > 0 {
		return fmt.Errorf("preemption had candidates %v, but said %v", p.Candidates, s)
	}
	fit.Diagnosis.PostFilterMsg = p.Message
	out.Message = fit.Error()
	return nil
}

// ErrAmbiguous marks a decision that the real scheduler itself takes differently from run to run.
var ErrAmbiguous = errors.New("ambiguous")

func (e *Engine) dryRun(p *Preemption, state fwk.CycleState, pod *v1.Pod, fit *framework.FitError) error {
	ev := e.preempt.Evaluator
	if ok, _ := e.preempt.PodEligibleToPreemptOthers(e.ctx, pod, fit.Diagnosis.NodeToStatus.Get(pod.Status.NominatedNodeName)); !ok {
		return nil
	}
	potential, err := fit.Diagnosis.NodeToStatus.NodesForStatusCode(e.snap.NodeInfos(), fwk.Unschedulable)
	if err != nil || len(potential) == 0 {
		return err
	}
	pdbs, err := ev.PdbLister.List(labels.Everything())
	if err != nil {
		return err
	}
	sort.Slice(pdbs, func(i, j int) bool { return pdbs[i].Name < pdbs[j].Name })
	run := func(pdbs []*policy.PodDisruptionBudget) ([]preemption.Candidate, map[string]Candidate, map[string]Status, error) {
		found, statuses, err := ev.DryRunPreemption(e.ctx, state, pod, potential, pdbs, 0, int32(len(potential)+1))
		m := map[string]Candidate{}
		for _, c := range found {
			one := Candidate{NumPDBViolations: c.Victims().NumPDBViolations}
			for _, v := range c.Victims().Pods {
				one.Victims = append(one.Victims, v.Namespace+"/"+v.Name)
			}
			m[c.Name()] = one
		}
		no := map[string]Status{}
		for _, ni := range potential {
			if _, ok := m[ni.Node().Name]; !ok {
				s := statuses.Get(ni.Node().Name)
				no[ni.Node().Name] = statusOf(s)
			}
		}
		return found, m, no, err
	}
	found, m, no, err := run(pdbs)
	// The order in which budgets are listed is random in the real scheduler; a result that depends on it is no oracle.
	for i := 0; i < len(pdbs); i++ {
		pdbs = append(pdbs[1:], pdbs[0])
		rev := make([]*policy.PodDisruptionBudget, 0, len(pdbs))
		for j := len(pdbs) - 1; j >= 0; j-- {
			rev = append(rev, pdbs[j])
		}
		for _, order := range [][]*policy.PodDisruptionBudget{pdbs, rev} {
			if _, m2, no2, _ := run(order); !reflect.DeepEqual(m, m2) || !reflect.DeepEqual(no, no2) {
				return fmt.Errorf("%w: order of budgets", ErrAmbiguous)
			}
		}
	}
	p.Rejected = no
	if err != nil {
		p.DryRunError = err.Error()
	}
	if len(m) == 0 {
		return nil
	}
	p.Candidates = m
	p.Chosen = acceptable(ev.CandidatesToVictimsMap(found))
	for i := 0; i < 6; i++ {
		if got := ev.SelectCandidate(e.ctx, found).Name(); !sets.New(p.Chosen...).Has(got) {
			return fmt.Errorf("SelectCandidate chose %s, acceptable are %v", got, p.Chosen)
		}
	}
	return nil
}

// ordered puts the reasons of NodeResourcesFit in a fixed order: the real scheduler walks a map for all resources
// but the first four, so their order is random.
func ordered(plugin string, reasons []string) []string {
	if plugin != "NodeResourcesFit" {
		return reasons
	}
	fixed := []string{"Too many pods", "Insufficient cpu", "Insufficient memory", "Insufficient ephemeral-storage"}
	out := slices.Clone(reasons)
	slices.SortStableFunc(out, func(a, b string) int {
		i, j := slices.Index(fixed, a), slices.Index(fixed, b)
		switch {
		case i >= 0 && j >= 0:
			return i - j
		case i >= 0:
			return -1
		case j >= 0:
			return 1
		}
		return strings.Compare(a, b)
	})
	return out
}

func statusOf(s *fwk.Status) Status {
	return Status{Plugin: s.Plugin(), Code: s.Code().String(), Reasons: ordered(s.Plugin(), s.Reasons())}
}

func uid(ns, name string) types.UID { return types.UID(ns + "/" + name) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
