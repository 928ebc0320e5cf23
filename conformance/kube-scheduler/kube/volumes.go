package kube

import (
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	storage "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// VolumeObjects are what the volume plugins read, as a case starts with them.
type VolumeObjects struct {
	StorageClasses         []json.RawMessage `json:"storageClasses,omitempty"`
	PersistentVolumes      []json.RawMessage `json:"persistentVolumes,omitempty"`
	PersistentVolumeClaims []json.RawMessage `json:"persistentVolumeClaims,omitempty"`
	CSINodes               []json.RawMessage `json:"csiNodes,omitempty"`
	CSIDrivers             []json.RawMessage `json:"csiDrivers,omitempty"`
	CSIStorageCapacities   []json.RawMessage `json:"csiStorageCapacities,omitempty"`
	VolumeAttachments      []json.RawMessage `json:"volumeAttachments,omitempty"`
}

func (e *Engine) openVolumes(o VolumeObjects) error {
	for kind, list := range map[string][]json.RawMessage{
		"StorageClass": o.StorageClasses, "PersistentVolume": o.PersistentVolumes,
		"PersistentVolumeClaim": o.PersistentVolumeClaims, "CSINode": o.CSINodes, "CSIDriver": o.CSIDrivers,
		"CSIStorageCapacity": o.CSIStorageCapacities, "VolumeAttachment": o.VolumeAttachments,
	} {
		for _, raw := range list {
			if err := e.putListed(kind, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// listed gives the informer store that plugins list a kind from, and an empty object of it.
func (e *Engine) listed(kind string) (cache.Indexer, metav1.Object, error) {
	core, st := e.inf.Core().V1(), e.inf.Storage().V1()
	switch kind {
	case "PersistentVolumeClaim":
		return core.PersistentVolumeClaims().Informer().GetIndexer(), &v1.PersistentVolumeClaim{}, nil
	case "PersistentVolume":
		return core.PersistentVolumes().Informer().GetIndexer(), &v1.PersistentVolume{}, nil
	case "StorageClass":
		return st.StorageClasses().Informer().GetIndexer(), &storage.StorageClass{}, nil
	case "CSINode":
		return st.CSINodes().Informer().GetIndexer(), &storage.CSINode{}, nil
	case "CSIDriver":
		return st.CSIDrivers().Informer().GetIndexer(), &storage.CSIDriver{}, nil
	case "CSIStorageCapacity":
		return st.CSIStorageCapacities().Informer().GetIndexer(), &storage.CSIStorageCapacity{}, nil
	case "VolumeAttachment":
		return st.VolumeAttachments().Informer().GetIndexer(), &storage.VolumeAttachment{}, nil
	case "Namespace":
		return core.Namespaces().Informer().GetIndexer(), &v1.Namespace{}, nil
	case "Service":
		return core.Services().Informer().GetIndexer(), &v1.Service{}, nil
	case "ReplicationController":
		return core.ReplicationControllers().Informer().GetIndexer(), &v1.ReplicationController{}, nil
	case "ReplicaSet":
		return e.inf.Apps().V1().ReplicaSets().Informer().GetIndexer(), &appsv1.ReplicaSet{}, nil
	case "StatefulSet":
		return e.inf.Apps().V1().StatefulSets().Informer().GetIndexer(), &appsv1.StatefulSet{}, nil
	case "PodDisruptionBudget":
		return e.inf.Policy().V1().PodDisruptionBudgets().Informer().GetIndexer(), &policy.PodDisruptionBudget{}, nil
	}
	return nil, nil, fmt.Errorf("unknown kind %q", kind)
}

func (e *Engine) putListed(kind string, raw json.RawMessage) error {
	store, obj, err := e.listed(kind)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, obj); err != nil {
		return err
	}
	return store.Update(obj)
}

// put carries out a step that adds or replaces an object that is no node and no pod.
func (e *Engine) put(raw json.RawMessage) error {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(raw, &kind); err != nil {
		return err
	}
	return e.putListed(kind.Kind, raw)
}

// remove takes "Kind/name" or "Kind/namespace/name" away.
func (e *Engine) remove(what string) error {
	kind, key, _ := strings.Cut(what, "/")
	store, obj, err := e.listed(kind)
	if err != nil {
		return err
	}
	if namespace, name, ok := strings.Cut(key, "/"); ok {
		obj.SetNamespace(namespace)
		obj.SetName(name)
	} else {
		obj.SetName(key)
	}
	return store.Delete(obj)
}
