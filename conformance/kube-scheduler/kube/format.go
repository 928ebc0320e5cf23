package kube

import (
	"encoding/json"
	"errors"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Case is one line of a vector file.
type Case struct {
	ID           string            `json:"id"`
	Theme        string            `json:"theme"`
	Seed         uint64            `json:"seed"`
	Config       json.RawMessage   `json:"config,omitempty"`
	Namespaces   []json.RawMessage `json:"namespaces,omitempty"`
	Nodes        []json.RawMessage `json:"nodes,omitempty"`
	Pods         []json.RawMessage `json:"pods,omitempty"`
	PDBs         []json.RawMessage `json:"pdbs,omitempty"`
	Services     []json.RawMessage `json:"services,omitempty"`
	ReplicaSets  []json.RawMessage `json:"replicaSets,omitempty"`
	StatefulSets []json.RawMessage `json:"statefulSets,omitempty"`
	Controllers  []json.RawMessage `json:"replicationControllers,omitempty"`
	VolumeObjects
	Steps []*Step `json:"steps"`
}

// Step is one decision or one event.
type Step struct {
	Decide          json.RawMessage `json:"decide,omitempty"`
	Expect          *Expect         `json:"expect,omitempty"`
	Assume          string          `json:"assume,omitempty"`
	StartTime       *metav1.Time    `json:"startTime,omitempty"`
	AddNode         json.RawMessage `json:"addNode,omitempty"`
	UpdateNode      json.RawMessage `json:"updateNode,omitempty"`
	RemoveNode      string          `json:"removeNode,omitempty"`
	AddPod          json.RawMessage `json:"addPod,omitempty"`
	UpdatePod       json.RawMessage `json:"updatePod,omitempty"`
	RemovePod       string          `json:"removePod,omitempty"`
	UpdateNamespace json.RawMessage `json:"updateNamespace,omitempty"`
	Nominate        *Nomination     `json:"nominate,omitempty"`
	Unnominate      string          `json:"unnominate,omitempty"`
	Put             json.RawMessage `json:"put,omitempty"`
	Remove          string          `json:"remove,omitempty"`
}

// Nomination is a pending pod for which a node is reserved.
type Nomination struct {
	Pod  json.RawMessage `json:"pod"`
	Node string          `json:"node"`
}

// Status is the answer of one plugin.
type Status struct {
	Plugin  string   `json:"plugin,omitempty"`
	Code    string   `json:"code"`
	Reasons []string `json:"reasons,omitempty"`
}

// NodeReject is the first rejection of a node and, when there are several, all of them.
type NodeReject struct {
	Status
	All []Status `json:"all,omitempty"`
}

// Restricted tells that PreFilter left only some nodes to look at.
type Restricted struct {
	Nodes  []string `json:"nodes"`
	Reason string   `json:"reason"`
}

// Score is one column of the score table; values follow the order of Feasible.
type Score struct {
	Weight int64   `json:"weight"`
	Raw    []int64 `json:"raw,omitempty"`
	Norm   []int64 `json:"norm"`
}

// Candidate is the outcome of the preemption dry run on one node.
type Candidate struct {
	Victims          []string `json:"victims"`
	NumPDBViolations int64    `json:"numPDBViolations,omitempty"`
}

// Preemption is what PostFilter did.
type Preemption struct {
	Code        string               `json:"code"`
	Message     string               `json:"message,omitempty"`
	Candidates  map[string]Candidate `json:"candidates,omitempty"`
	Chosen      []string             `json:"chosen,omitempty"`
	Rejected    map[string]Status    `json:"rejected,omitempty"`
	DryRunError string               `json:"dryRunError,omitempty"`
}

// Expect is what the real scheduler decided.
type Expect struct {
	PreFilter         *Status               `json:"preFilter,omitempty"`
	Restricted        *Restricted           `json:"restricted,omitempty"`
	NominatedNodeUsed bool                  `json:"nominatedNodeUsed,omitempty"`
	Infeasible        map[string]NodeReject `json:"infeasible,omitempty"`
	Feasible          []string              `json:"feasible,omitempty"`
	Scores            map[string]*Score     `json:"scores,omitempty"`
	Total             []int64               `json:"total,omitempty"`
	Best              []string              `json:"best,omitempty"`
	FilterMessage     string                `json:"filterMessage,omitempty"`
	Preemption        *Preemption           `json:"preemption,omitempty"`
	Message           string                `json:"message,omitempty"`
	Error             string                `json:"error,omitempty"`
}

// World is the cluster as the recorder knows it, beside the engine.
type World struct {
	Config    json.RawMessage
	Engine    *Engine
	Nodes     map[string]*v1.Node
	NodeOrder []string
	Pods      map[string]*v1.Pod
	Nominated map[string]*v1.Pod
}

// Key names a pod.
func Key(p *v1.Pod) string { return p.Namespace + "/" + p.Name }

// Identify gives a pod the identity that follows from its name.
func Identify(p *v1.Pod) *v1.Pod {
	p.UID = uid(p.Namespace, p.Name)
	return p
}

// Parse reads an object and gives a pod its identity.
func Parse[T any](raw json.RawMessage) *T {
	out := new(T)
	must(json.Unmarshal(raw, out))
	if p, ok := any(out).(*v1.Pod); ok {
		p.UID = uid(p.Namespace, p.Name)
		if p.Spec.SchedulerName == "" {
			p.Spec.SchedulerName = v1.DefaultSchedulerName
		}
	}
	return out
}

// Open builds a fresh engine holding the start of the case.
func Open(c *Case) (*World, error) {
	e, err := New(c.Config, 100)
	if err != nil {
		return nil, err
	}
	w := &World{Config: c.Config, Engine: e, Nodes: map[string]*v1.Node{}, Pods: map[string]*v1.Pod{},
		Nominated: map[string]*v1.Pod{}}
	for _, r := range c.Namespaces {
		w.putNamespace(Parse[v1.Namespace](r))
	}
	for _, r := range c.PDBs {
		e.Put(Parse[policy.PodDisruptionBudget](r))
	}
	for _, r := range c.Services {
		e.Put(Parse[v1.Service](r))
	}
	for _, r := range c.ReplicaSets {
		e.Put(Parse[appsv1.ReplicaSet](r))
	}
	for _, r := range c.StatefulSets {
		e.Put(Parse[appsv1.StatefulSet](r))
	}
	for _, r := range c.Controllers {
		if err := e.putListed("ReplicationController", r); err != nil {
			return nil, err
		}
	}
	if err := e.openVolumes(c.VolumeObjects); err != nil {
		return nil, err
	}
	for _, r := range c.Nodes {
		w.addNode(Parse[v1.Node](r))
	}
	for _, r := range c.Pods {
		p := Parse[v1.Pod](r)
		w.Pods[Key(p)] = p
		e.AddPod(p)
	}
	return w, nil
}

func (w *World) putNamespace(n *v1.Namespace) {
	w.Engine.Put(n)
}

func (w *World) addNode(n *v1.Node) {
	w.Nodes[n.Name] = n
	w.NodeOrder = append(w.NodeOrder, n.Name)
	w.Engine.AddNode(n)
}

// Apply carries out a step. For a decision it returns what was decided; placing the pod needs Place or Discard.
func (w *World) Apply(s *Step) (*Expect, error) {
	e := w.Engine
	switch {
	case s.Decide != nil:
		p := Parse[v1.Pod](s.Decide)
		if old, ok := w.Nominated[Key(p)]; ok {
			e.Unnominate(old)
			delete(w.Nominated, Key(p))
		}
		return e.Decide(p)
	case s.AddNode != nil:
		w.addNode(Parse[v1.Node](s.AddNode))
	case s.UpdateNode != nil:
		n := Parse[v1.Node](s.UpdateNode)
		e.UpdateNode(w.Nodes[n.Name], n)
		w.Nodes[n.Name] = n
	case s.RemoveNode != "":
		e.RemoveNode(w.Nodes[s.RemoveNode])
		delete(w.Nodes, s.RemoveNode)
		for i, n := range w.NodeOrder {
			if n == s.RemoveNode {
				w.NodeOrder = append(w.NodeOrder[:i], w.NodeOrder[i+1:]...)
				break
			}
		}
	case s.AddPod != nil:
		p := Parse[v1.Pod](s.AddPod)
		w.Pods[Key(p)] = p
		e.AddPod(p)
	case s.UpdatePod != nil:
		p := Parse[v1.Pod](s.UpdatePod)
		e.UpdatePod(w.Pods[Key(p)], p)
		w.Pods[Key(p)] = p
	case s.RemovePod != "":
		e.RemovePod(w.Pods[s.RemovePod])
		delete(w.Pods, s.RemovePod)
	case s.UpdateNamespace != nil:
		w.putNamespace(Parse[v1.Namespace](s.UpdateNamespace))
	case s.Nominate != nil:
		p := Parse[v1.Pod](s.Nominate.Pod)
		p.Status.NominatedNodeName = s.Nominate.Node
		w.Nominated[Key(p)] = p
		e.Nominate(p)
	case s.Unnominate != "":
		e.Unnominate(w.Nominated[s.Unnominate])
		delete(w.Nominated, s.Unnominate)
	case s.Put != nil:
		return nil, e.put(s.Put)
	case s.Remove != "":
		return nil, e.remove(s.Remove)
	default:
		return nil, errors.New("empty step")
	}
	return nil, nil
}

// Finish places the decided pod where the step says, or drops it.
func (w *World) Finish(s *Step) {
	p := Parse[v1.Pod](s.Decide)
	if s.Assume == "" {
		w.Engine.Drop(p)
		return
	}
	placed := p.DeepCopy()
	placed.Spec.NodeName = s.Assume
	placed.Status.StartTime = s.StartTime
	placed.Status.NominatedNodeName = ""
	w.Pods[Key(p)] = placed
	w.Engine.Assume(p, placed)
}
